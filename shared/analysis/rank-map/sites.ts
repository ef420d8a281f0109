/**
 * A site is one log stream with its events in order: a file, or one Pod's share of a file that several write.
 * Here its Pod is decided: by the collector's layout, by a Pod name in the path, or by the host names inside.
 */

import type { LogEvent, LogStream } from '../../model/events.ts';
import type { EntryId } from '../../model/ids.ts';
import type { IncidentInput } from '../../model/incident.ts';
import type { SourceRef } from '../../model/source-ref.ts';
import { addTo, byText, listIn, positionOf } from './order.ts';
import { nameSlot } from './pod-spec.ts';
import type { PodRecord } from './pod-table.ts';

export interface Site {
  readonly entry: EntryId;
  readonly path: string;
  readonly stream: LogStream | undefined;
  /** By position. */
  readonly events: readonly LogEvent[];
  /** Name of the Pod whose output this is; undefined = not known, or several Pods. */
  readonly pod: string | undefined;
  readonly container: string | undefined;
  readonly podUid: string | undefined;
  /** Folder above `attempt_N`: one agent's workers, where the Pod is not known. */
  readonly tree: string | undefined;
  /** Node where the Pod is not known: kernel logs, journals. */
  readonly host: string | undefined;
}

/** Names that may stand for Pods. */
export interface PodNames {
  readonly table: ReadonlyMap<string, readonly PodRecord[]>;
  /** Pods with hostNetwork, whose host name is their node's. */
  readonly byHostNode: ReadonlyMap<string, string>;
}

export function podNames(table: ReadonlyMap<string, readonly PodRecord[]>): PodNames {
  const byHostNode = new Map<string, string>();
  const several = new Set<string>();
  for (const [name, generations] of table) {
    const record = generations.at(-1);
    if (record?.node === undefined || !record.object.hostNetwork) continue;
    if (byHostNode.has(record.node)) several.add(record.node);
    byHostNode.set(record.node, name);
  }
  for (const node of several) byHostNode.delete(node);
  return { table, byHostNode };
}

/** The Pod that a host name in a log line means: Pods print their own name, with hostNetwork their node's. */
export function podOfHost(names: PodNames, host: string | undefined): string | undefined {
  if (host === undefined) return undefined;
  const bare = host.includes('.') ? host.slice(0, host.indexOf('.')) : host;
  if (names.table.has(host)) return host;
  return names.table.has(bare) ? bare : (names.byHostNode.get(host) ?? names.byHostNode.get(bare));
}

/** Order inside a site: files of log services may have their newest lines first. */
export const placeIn = ({ stream }: Pick<Site, 'stream'>, source: SourceRef): number =>
  stream?.newestFirst === true ? -positionOf(source) : positionOf(source);

const entryOf = (stream: LogStream): EntryId | undefined =>
  (stream.first?.source ?? stream.lastLine?.source ?? stream.last?.source ?? stream.ranks[0]?.lastSource)?.entry;

interface Draft {
  readonly entry: EntryId;
  readonly stream: LogStream | undefined;
  readonly pod: string | undefined;
  readonly events: LogEvent[];
}

/** All sites in the order of their paths, then Pods. */
export function findSites(input: IncidentInput, names: PodNames): readonly Site[] {
  const paths = new Map(input.entries.map((entry) => [entry.id, entry.path]));
  const drafts = new Map<EntryId, Draft[]>();
  for (const stream of input.streams) {
    const entry = entryOf(stream);
    if (entry !== undefined) listIn(drafts, entry).push({ entry, stream, pod: stream.pod, events: [] });
  }
  for (const event of input.events) draftFor(listIn(drafts, event.source.entry), event).events.push(event);
  const sites = [...drafts.values()].flat().map((draft) => finishSite(draft, paths.get(draft.entry) ?? '', names));
  return sites.sort(
    (a, b) =>
      byText(a.path, b.path) ||
      byText(a.pod ?? '', b.pod ?? '') ||
      byText(a.container ?? '', b.container ?? '') ||
      a.entry - b.entry,
  );
}

function draftFor(drafts: Draft[], event: LogEvent): Draft {
  const ofPod = event.pod === undefined ? [] : drafts.filter(({ pod }) => pod === event.pod);
  const found =
    ofPod.find(({ stream }) => event.container === undefined || stream?.container === event.container) ?? ofPod[0];
  if (found !== undefined) return found;
  const [first] = drafts;
  if (first !== undefined && (drafts.length === 1 || event.pod === undefined)) {
    return drafts.find(({ pod }) => pod === undefined) ?? (drafts.length === 1 ? first : addDraft(drafts, event));
  }
  return addDraft(drafts, event);
}

function addDraft(drafts: Draft[], event: LogEvent): Draft {
  const draft = { entry: event.source.entry, stream: undefined, pod: event.pod, events: [] };
  drafts.push(draft);
  return draft;
}

function finishSite(draft: Draft, path: string, names: PodNames): Site {
  const { stream } = draft;
  const events = draft.events.sort((a, b) => placeIn(draft, a.source) - placeIn(draft, b.source));
  const pod = podOfSite(draft, events, path, names);
  return {
    entry: draft.entry,
    path,
    stream,
    events,
    pod,
    container: stream?.container,
    podUid: stream?.podUid,
    tree:
      pod === undefined && stream?.localRank !== undefined
        ? `${path.slice(0, path.lastIndexOf('attempt_'))}`
        : undefined,
    host: pod === undefined ? stream?.host : undefined,
  };
}

function podOfSite(draft: Draft, events: readonly LogEvent[], path: string, names: PodNames): string | undefined {
  const said = draft.pod;
  if (said !== undefined && (names.table.has(said) || isLayoutCertain(draft, path))) return said;
  const inPath = podInPath(path, names);
  if (inPath !== undefined) return inPath;
  const hosts = hostsOf(events);
  const [host] = hosts.size === 1 ? [...hosts.keys()] : [];
  const byHost = podOfHost(names, host);
  if (byHost !== undefined) return byHost;
  if (said === undefined) return undefined;
  return said === host || looksLikePod(said) ? said : undefined;
}

/** The layout itself says Pod: a node's log folder, a dump with namespaces, a prefix on the lines; else it is just a file name. */
const isLayoutCertain = ({ stream, pod }: Draft, path: string): boolean =>
  stream?.podUid !== undefined || stream?.namespace !== undefined || (pod !== undefined && !path.includes(pod));

/** Roles that operators put in names, or a random suffix behind a number. */
function looksLikePod(name: string): boolean {
  const slot = nameSlot(name);
  return slot.kind === 'ordinal' && (slot.role !== undefined || /-\d+-[bcdfghjklmnpqrstvwxz2456789]{5}$/.test(name));
}

const COLLECTED = new Set(['previous', 'prev', 'current', 'log', 'logs', 'stdout', 'stderr']);
/** Cuts of one path part that are tried: names have few dots and dashes, hostile ones many. */
const MAX_CUTS = 40;

/**
 * The longest known name in a path that stands there as a whole: not as the start of a longer name, unless the rest only
 * says what was collected (`NAME-previous.log`, `NAME-CONTAINER.log`).
 */
function podInPath(path: string, { table }: PodNames): string | undefined {
  let best: string | undefined;
  for (const part of path.split(/[^A-Za-z0-9.-]+/)) {
    const starts = [0, ...cutsAt(part, ['.']).map((at) => at + 1)];
    const ends = [...cutsAt(part, ['.', '-']), part.length];
    for (const start of starts) {
      for (const end of ends) {
        if (end - start <= (best?.length ?? 0)) continue;
        const name = part.slice(start, end);
        if (table.has(name) && standsAlone(part, end, table.get(name))) best = name;
      }
    }
  }
  return best;
}

function cutsAt(part: string, separators: readonly string[]): readonly number[] {
  const cuts: number[] = [];
  for (let at = 0; at < part.length && cuts.length < MAX_CUTS; at += 1)
    if (separators.includes(part[at] ?? '')) cuts.push(at);
  return cuts;
}

function standsAlone(part: string, end: number, generations: readonly PodRecord[] | undefined): boolean {
  if (part[end] !== '-') return true;
  const rest = part.slice(end + 1);
  const word = rest.slice(0, rest.includes('.') ? rest.indexOf('.') : rest.length);
  return COLLECTED.has(word) || generations?.at(-1)?.object.containers.some(({ name }) => name === word) === true;
}

/** Hosts that the printing processes give for themselves. */
function hostsOf(events: readonly LogEvent[]): ReadonlyMap<string, number> {
  const hosts = new Map<string, number>();
  for (const { host, body } of events) {
    // A state is of whom its heading names, which may be a node.
    if (host !== undefined && body.kind !== 'host-state') addTo(hosts, host);
    if (body.kind === 'failure-summary')
      for (const failure of body.failures) if (failure.host !== undefined) addTo(hosts, failure.host);
    if (body.kind === 'nccl-init' && body.host !== undefined) addTo(hosts, body.host);
  }
  return hosts;
}

/** The kernel's host is a node, never a Pod. */
const KERNEL = new Set<LogEvent['body']['kind']>([
  'oom-kill',
  'xid',
  'gpu-state',
  'link-event',
  'kernel-note',
  'clock-note',
]);

/** True for what the node tells: its kernel, its GPUs, its links. */
export const isOfNode = ({ body }: LogEvent): boolean => KERNEL.has(body.kind);

/** What stands for the agent of a site's processes: its Pod, else its torchrun folder. */
export const agentOf = (site: Pick<Site, 'tree'>, pod: string | undefined): string | undefined =>
  pod ?? (site.tree === undefined ? undefined : `#${site.tree}`);

/** The Pod of one event: its own prefix, its own host, then its site's. */
export function podOfEvent(event: LogEvent, site: Site, names: PodNames): string | undefined {
  if (event.pod !== undefined && (names.table.has(event.pod) || event.pod === site.pod)) return event.pod;
  if (isOfNode(event)) return site.pod;
  if (event.body.kind === 'host-state')
    return event.pod ?? (event.host !== undefined && names.table.has(event.host) ? event.host : site.pod);
  return (
    podOfHost(names, event.host) ??
    site.pod ??
    (event.pod !== undefined && looksLikePod(event.pod) ? event.pod : undefined)
  );
}

/** Events and lines per Pod: which Pods are logged at all. */
export function loggedPods(sites: readonly Site[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const site of sites)
    if (site.pod !== undefined) addTo(counts, site.pod, site.events.length + (site.stream?.lines ?? 0));
  return counts;
}

/** The generation of a site's Pod: by the uid in its path, else the current one. */
export function recordOf(names: PodNames, pod: string | undefined, uid: string | undefined): PodRecord | undefined {
  const generations = pod === undefined ? undefined : names.table.get(pod);
  return generations?.find((record) => uid !== undefined && record.object.uid === uid) ?? generations?.at(-1);
}
