/**
 * What the collector tried and did not get, so that "not there" can be told from "not collected". Only what the bundle
 * itself says is here; what nobody asked for leaves no trace and is in no list.
 *
 * - `absent`   proven: it was asked for, and the cluster had none (an empty list; no container before this one)
 * - `refused`  it may exist: access denied, an error, a time limit, a log that was already deleted
 */
import type { PlacedEvent } from '../../model/facts.ts';
import type { EntryId } from '../../model/ids.ts';
import type { IncidentInput } from '../../model/incident.ts';
import type { SourceRef } from '../../model/source-ref.ts';

export type CollectedItem = 'logs' | 'previous-logs' | 'pods' | 'events' | 'nodes' | 'leases' | 'host' | 'other';

export interface CollectionNote {
  readonly item: CollectedItem;
  readonly state: 'absent' | 'refused';
  /** Of logs, where the note names it. */
  readonly pod: string | undefined;
  readonly container: string | undefined;
  /** The collector's words, at most 300 characters. */
  readonly text: string;
  readonly entry: EntryId;
  readonly source: SourceRef | undefined;
}

const KIND_ITEMS: ReadonlyMap<string, CollectedItem> = new Map([
  ['Pod', 'pods'],
  ['Event', 'events'],
  ['Node', 'nodes'],
  ['Lease', 'leases'],
]);
const NAME_ITEMS: readonly (readonly [RegExp, CollectedItem])[] = [
  [/(?:^|\/)pods-errors\.json$/, 'pods'],
  [/(?:^|\/)events-errors\.json$/, 'events'],
  [/(?:^|\/)nodes-errors\.json$/, 'nodes'],
  [/(?:^|\/)leases-errors\.json$/, 'leases'],
  [/(?:^|\/)host-collectors\//, 'host'],
];
/** `pods "w-0" is forbidden`, `events is forbidden: User …` */
const RESOURCE = /\b(pods|events|nodes|leases)(?:\.[a-z0-9.-]{1,60})?(?: "[^"]{1,260}")? is forbidden/;
const NO_PREVIOUS = /previous terminated container "([^"]{1,63})" in pod "([^"]{1,253})" not found/;
const NEVER_RAN = /container "([^"]{1,63})" in pod "([^"]{1,253})" is waiting to start/;
const NO_POD = /\bpods "([^"]{1,253})" not found/;

/** In the order of entries, then of their lines. */
export function collectionNotes(
  input: Pick<IncidentInput, 'issues' | 'entries'>,
  events: readonly Pick<PlacedEvent, 'event' | 'stream'>[],
): readonly CollectionNote[] {
  const fromLogs = events.flatMap(({ event, stream }): CollectionNote[] => {
    if (event.body.kind !== 'collector-note') return [];
    const { text } = event.body;
    const place = { pod: event.pod ?? stream?.pod, container: event.container ?? stream?.container };
    return [
      {
        ...place,
        ...readNote(text, stream?.previous === true),
        text: text.slice(0, 300),
        entry: event.source.entry,
        source: event.source,
      },
    ];
  });
  const noted = new Set(fromLogs.map(({ entry }) => entry));
  const fromIssues = input.issues.flatMap(({ code, entry, path, detail, source }): CollectionNote[] => {
    if (entry === undefined || (code !== 'collector-message' && code !== 'list-empty')) return [];
    const base = { pod: undefined, container: undefined, text: detail.slice(0, 300), entry, source };
    if (code === 'list-empty') return [{ ...base, item: KIND_ITEMS.get(detail) ?? 'other', state: 'absent' }];
    if (noted.has(entry)) return [];
    const resource = RESOURCE.exec(detail)?.[1];
    const item =
      resource === undefined ? NAME_ITEMS.find(([name]) => name.test(path ?? ''))?.[1] : resourceItem(resource);
    return [{ ...base, item: item ?? 'other', state: 'refused' }];
  });
  return [...fromLogs, ...fromIssues].sort((a, b) => a.entry - b.entry || positionOf(a.source) - positionOf(b.source));
}

const positionOf = (source: SourceRef | undefined): number => (source?.kind === 'line' ? source.line : 0);

function resourceItem(resource: string): CollectedItem {
  return resource === 'pods' || resource === 'events' || resource === 'nodes' || resource === 'leases'
    ? resource
    : 'other';
}

type Read = Pick<CollectionNote, 'item' | 'state'> & Partial<Pick<CollectionNote, 'pod' | 'container'>>;

function readNote(text: string, previous: boolean): Read {
  const before = NO_PREVIOUS.exec(text);
  // Never restarted, or its remains were removed: either way the node has no such log.
  if (before !== null) return named('previous-logs', 'absent', before[2], before[1]);
  const waiting = NEVER_RAN.exec(text);
  if (waiting !== null) return named('logs', 'absent', waiting[2], waiting[1]);
  const gone = NO_POD.exec(text);
  if (gone !== null) return named(previous ? 'previous-logs' : 'logs', 'refused', gone[1], undefined);
  const resource = /pods\/log/.test(text) ? undefined : RESOURCE.exec(text)?.[1];
  if (resource !== undefined) return { item: resourceItem(resource), state: 'refused' };
  if (/No resources found/.test(text)) return { item: 'other', state: 'absent' };
  return { item: previous ? 'previous-logs' : 'logs', state: 'refused' };
}

const named = (
  item: CollectedItem,
  state: CollectionNote['state'],
  pod: string | undefined,
  container: string | undefined,
): Read => ({
  item,
  state,
  ...(pod === undefined ? {} : { pod }),
  ...(container === undefined ? {} : { container }),
});
