/** One call side by side: rows of fields and frames, each with the word on what differs. */
import type { CallAnswer, CallField } from '#shared/views/collectives/answers.ts';
import { escapeText } from '../escape-text.ts';
import { type Basis, fromRaw, orderOfRaw, qualityOf, timeAt } from './call-times.ts';
import { STATE_WORDS } from './cells.ts';

export interface DetailValue {
  readonly text: string;
  readonly note: string;
  readonly quiet: boolean;
}

export interface DetailRow {
  readonly key: string;
  readonly label: string;
  readonly values: readonly DetailValue[];
  readonly mark: 'same' | 'differs' | 'first' | 'certain' | 'undecided' | 'none';
  readonly markText: string;
  /** The whole of what `markText` says in short; empty = nothing more. */
  readonly markWhole: string;
  readonly frame: boolean;
}

export interface DetailModel {
  readonly rows: readonly DetailRow[];
  /** Equal rows that were left out. */
  readonly hidden: number;
}

/** Fields that matter less than the frames. */
const AFTER_STACK: ReadonlySet<string> = new Set(['device time', 'timeout', 'recorder', 'op id', 'other']);
const NONE: DetailValue = { text: 'not recorded', note: '', quiet: true };
/** A side that has no record of the call at all says so once, in its state. */
const BLANK: DetailValue = { text: '', note: '', quiet: true };

export function detailModel(answer: CallAnswer, basis: Basis, hideEqual: boolean): DetailModel {
  const fields = answer.fields.flatMap((field) => fieldRow(answer, field, basis));
  const after = fields.filter((row) => AFTER_STACK.has(row.key));
  const rows = [...fields.filter((row) => !AFTER_STACK.has(row.key)), ...frameRows(answer), ...after];
  const shown = hideEqual ? rows.filter((row) => row.mark !== 'same') : rows;
  return { rows: shown, hidden: rows.length - shown.length };
}

const missing = (answer: CallAnswer, side: number): DetailValue => (answer.sides[side]?.found === true ? NONE : BLANK);

function fieldRow(answer: CallAnswer, field: CallField, basis: Basis): DetailRow[] {
  if (field.times !== undefined) return [timeRow(answer, field, basis)];
  const told = field.values.filter((value) => value !== null).length;
  const mark = told < 2 ? 'none' : field.differs ? 'differs' : 'same';
  return [
    {
      key: field.name,
      label: field.name,
      values: field.values.map((value, i) =>
        value === null
          ? missing(answer, i)
          : { text: field.name === 'state' ? stateWord(value) : escapeText(value), note: '', quiet: mark === 'same' },
      ),
      mark,
      markText: mark === 'none' ? '' : mark,
      markWhole: '',
      frame: false,
    },
  ];
}

const stateWord = (value: string): string => {
  const found = Object.entries(STATE_WORDS).find(([state]) => state === value);
  return found?.[1] ?? escapeText(value);
};

function timeRow(answer: CallAnswer, field: CallField, basis: Basis): DetailRow {
  const times = field.times ?? [];
  const known = times.flatMap((ns, i) => (ns === null ? [] : [{ ns, clock: answer.sides[i]?.clock ?? -1 }]));
  const [a, b] = known;
  const order = a === undefined || b === undefined ? undefined : orderOfRaw(a, b, answer.clocks);
  return {
    key: field.name,
    label: field.name,
    values: times.map((ns, i) => {
      if (ns === null) return missing(answer, i);
      const clock = answer.clocks[answer.sides[i]?.clock ?? -1];
      return { text: timeAt(answer.originNs, fromRaw(ns, clock, basis)), note: qualityOf(clock, basis), quiet: false };
    }),
    mark: order === undefined || times.length !== 2 ? 'none' : order.word,
    markText: order === undefined || times.length !== 2 ? '' : order.word === 'undecided' ? 'undecided' : order.text,
    markWhole: order?.text ?? '',
    frame: false,
  };
}

function frameRows(answer: CallAnswer): DetailRow[] {
  const count = answer.sides.reduce((most, side) => Math.max(most, side.frames.length), 0);
  const several = answer.sides.filter((side) => side.frames.some((frame) => frame !== null)).length > 1;
  return Array.from({ length: count }, (_, at): DetailRow => {
    const equal = answer.firstDifference < 0 || at < answer.firstDifference;
    const mark = !several ? 'none' : equal ? 'same' : at === answer.firstDifference ? 'first' : 'differs';
    return {
      key: `frame ${at}`,
      label: at === 0 ? 'stack' : '',
      values: answer.sides.map((side) => {
        const frame = side.frames[at];
        return frame === null || frame === undefined
          ? { text: '', note: '', quiet: true }
          : { text: frameText(frame), note: '', quiet: several && equal };
      }),
      mark,
      markText: mark === 'none' ? '' : mark,
      markWhole: '',
      frame: true,
    };
  });
}

/** Without the folders of the installation: what stands before `site-packages/` is the same everywhere. */
export function frameText(frame: { readonly file: string; readonly line: number; readonly name: string }): string {
  const at = frame.file.lastIndexOf('/site-packages/');
  const file = at < 0 ? frame.file : frame.file.slice(at + '/site-packages/'.length);
  return escapeText(`${file}:${frame.line} ${frame.name}`);
}

/** Fields and frames as text in columns, for a mail or a ticket. */
export function detailText(answer: CallAnswer, model: DetailModel, title: string): string {
  const head = ['', ...answer.sides.map((side) => `rank ${side.rank}`), ''];
  const lines = model.rows.map((row) => [
    row.label,
    ...row.values.map((value) => [value.text, value.note].filter((part) => part !== '').join(' ')),
    row.markText,
  ]);
  const raw = [
    'raw',
    ...answer.sides.map((side) =>
      side.path === undefined
        ? 'no dump'
        : `${escapeText(side.path)}${side.record === undefined ? '' : ` record ${side.record}`}`,
    ),
    '',
  ];
  return [title, ...[head, ...lines, raw].map((parts) => parts.join('\t').trimEnd())].join('\n');
}
