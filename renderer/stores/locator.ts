/**
 * A view as one line of text that can be copied, mailed and opened again:
 *
 *   firstfault:timeline/vit-large-hang-1f0c99aa?range=1200000000~2400000000&basis=raw&ranks=37,40-47&target={…}&selected={…}
 *
 * What comes back is foreign text: nothing of it is taken that does not have the form of a place.
 */
import { parseRanks, writeRanks } from '#shared/lib/rank-text.ts';
import { type CaseId, caseId } from '#shared/model/ids.ts';
import { type CaseScreen, type Place, startOf } from './navigation.ts';
import type { Selected, SelectionView, TimeRange } from './selection.ts';

export const LOCATOR_SCHEME = 'firstfault:';
const MAX_LENGTH = 8192;
const MAX_DEPTH = 4;
const FIELD_NAME = /^[a-z][A-Za-z]{0,40}$/;
const SCREENS: readonly CaseScreen[] = [
  'overview',
  'evidence',
  'timeline',
  'collectives',
  'logs',
  'ranks',
  'clocks',
  'report',
  'compare',
];

export type CasePlace = Extract<Place, { readonly caseId: CaseId }>;

export interface LocatedView {
  readonly place: CasePlace;
  readonly view: SelectionView;
}

export function writeLocator({ place, view }: LocatedView): string {
  const { screen, caseId: id, ...rest } = place;
  const parts: [string, string][] = [];
  if (view.range !== null) parts.push(['range', `${view.range.from}~${view.range.to}`]);
  if (view.basis === 'raw') parts.push(['basis', 'raw']);
  if (view.ranks.length > 0) parts.push(['ranks', writeRanks(view.ranks)]);
  for (const [name, value] of Object.entries(rest)) if (value !== null) parts.push([name, JSON.stringify(value)]);
  if (view.selected !== null) parts.push(['selected', JSON.stringify(view.selected)]);
  const query = parts.map(([name, value]) => `${name}=${escapeValue(value)}`).join('&');
  return `${LOCATOR_SCHEME}${screen}/${id}${query === '' ? '' : `?${query}`}`;
}

/** Percent escapes for whatever is not plain in a line of text; commas, colons and tildes stay readable. */
const escapeValue = (value: string): string =>
  encodeURIComponent(value).replaceAll('%2C', ',').replaceAll('%3A', ':').replaceAll('%2F', '/');

/** Null if the text is no locator of this program. */
export function readLocator(text: string): LocatedView | null {
  const trimmed = text.trim();
  if (trimmed.length > MAX_LENGTH) return null;
  const match = /^firstfault:([a-z]{1,20})\/([a-z0-9][a-z0-9-]{0,119})(?:\?(.*))?$/.exec(trimmed);
  const screen = SCREENS.find((known) => known === match?.[1]);
  if (!match || !screen) return null;
  const values = readQuery(match[3] ?? '');
  if (values === null) return null;
  const place = placeFrom(startOf(screen, caseId(match[2] ?? '')), values);
  const ranks = parseRanks(values.get('ranks') ?? '');
  const range = readRange(values.get('range'));
  if (place === null || ranks === null || range === undefined) return null;
  const selected = readSelected(values.get('selected'));
  return { place, view: { basis: values.get('basis') === 'raw' ? 'raw' : 'corrected', range, ranks, selected } };
}

function readQuery(query: string): Map<string, string> | null {
  const values = new Map<string, string>();
  try {
    for (const part of query.split('&').filter((item) => item !== '')) {
      const at = part.indexOf('=');
      if (at > 0) values.set(part.slice(0, at), decodeURIComponent(part.slice(at + 1)));
    }
    return values;
  } catch {
    return null;
  }
}

/** Undefined = not a range. */
function readRange(text: string | undefined): TimeRange | null | undefined {
  if (text === undefined) return null;
  const [from, to] = text.split('~').map(Number);
  if (from === undefined || to === undefined || !Number.isFinite(from) || !Number.isFinite(to) || from >= to)
    return undefined;
  return { from, to };
}

/** The start of a screen with the values that fit its fields. */
function placeFrom(start: Place, values: ReadonlyMap<string, string>): CasePlace | null {
  if (start.screen === 'cases' || start.screen === 'import') return null;
  const place: Record<string, unknown> = { ...start };
  for (const name of Object.keys(start)) {
    const text = values.get(name);
    if (name === 'screen' || name === 'caseId' || text === undefined) continue;
    const value = readJson(text);
    const model = place[name];
    if (value === undefined || !fits(value, model, 0)) return null;
    place[name] = isObject(value) && isObject(model) ? { ...model, ...value } : value;
  }
  // Every field is that of the start or has its form.
  return place as unknown as CasePlace;
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Has `value` the form of `model`? Null in the model stands for anything plain and small. */
function fits(value: unknown, model: unknown, depth: number): boolean {
  if (depth > MAX_DEPTH) return false;
  if (value === null || model === null || model === undefined) return isPlain(value, depth);
  if (Array.isArray(model)) return Array.isArray(value) && isPlain(value, depth);
  if (typeof model !== 'object') return typeof value === typeof model;
  if (typeof value !== 'object' || Array.isArray(value)) return false;
  return Object.entries(value).every(([key, item]) =>
    // A field that is absent from the start of a screen is an optional one.
    Object.hasOwn(model, key)
      ? fits(item, (model as Record<string, unknown>)[key], depth + 1)
      : FIELD_NAME.test(key) && isPlain(item, depth + 1),
  );
}

function isPlain(value: unknown, depth: number): boolean {
  if (depth > MAX_DEPTH) return false;
  if (typeof value === 'number') return Number.isFinite(value);
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true;
  if (typeof value !== 'object') return false;
  return Object.values(value).every((item) => isPlain(item, depth + 1));
}

const isCount = (value: unknown): boolean => typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;

function readSelected(text: string | undefined): Selected | null {
  const value = text === undefined ? null : readJson(text);
  if (typeof value !== 'object' || value === null || !('kind' in value)) return null;
  const field = (name: string): unknown => (value as Record<string, unknown>)[name];
  switch (value.kind) {
    case 'rank':
      return isCount(field('rank')) ? (value as Selected) : null;
    case 'call': {
      const fine = typeof field('group') === 'string' && Number.isSafeInteger(field('seq')) && isCount(field('rank'));
      return fine && (field('record') === null || isRecord(field('record'))) ? (value as Selected) : null;
    }
    case 'line':
      return isCount(field('entryId')) && isCount(field('line')) ? (value as Selected) : null;
    case 'clock':
      return typeof field('clock') === 'string' ? (value as Selected) : null;
    case 'entry':
      return isCount(field('entryId')) ? (value as Selected) : null;
    default:
      return null;
  }
}

const isRecord = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  'entryId' in value &&
  'record' in value &&
  isCount(value.entryId) &&
  isCount(value.record);
