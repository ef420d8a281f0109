/**
 * What was being handled when an exception was raised: the event's own chain; where it has none (older cases), the last part of its text:
 *
 *   AttributeError: no attribute 'writer' [with RuntimeError: [/…/gloo/transport/tcp/pair.cc:553] Connection closed by peer … | …]
 *
 * Python prints such a chain itself ("During handling of the above exception …", "… was the direct cause of …"); the first link happened first.
 */
import type { PlacedOf } from './events.ts';

export interface Link {
  readonly type: string;
  readonly message: string;
}

const CHAIN = ' [with ';
const LINK = /^((?:[A-Za-z_]\w*\.)*[A-Za-z_]\w*)(?:\([\w.]+\))?(?:: ?(.*))?$/s;
/** Told of another rank, or the wrapping of an exception that came over from a data loader's process: no link of this rank's own chain. */
const NOT_OWN = /^\(rank \d+\) |^[\w.]+: Caught \w+ in /;

/** The exception with which the chain of this one began; undefined where there is no chain. */
export function beginningOf(placed: PlacedOf<'exception'>): Link | undefined {
  const { chain } = placed.event.body;
  if (chain !== undefined) {
    const own = chain.find(
      (link) =>
        (link.aboutRank === undefined || link.aboutRank === placed.rank) &&
        !NOT_OWN.test(`${link.type}: ${link.message}`),
    );
    return own === undefined ? undefined : { type: own.type.replace(/\([\w.]+\)$/, ''), message: own.message };
  }
  const { text } = placed.event;
  const at = text.indexOf(CHAIN);
  if (at < 0) return undefined;
  const links = text
    .slice(at + CHAIN.length)
    .replace(/\]$/, '')
    .split(' | ')
    .filter((link) => !NOT_OWN.test(link));
  const match = LINK.exec(links[0] ?? '');
  return match === null ? undefined : { type: match[1] ?? '', message: match[2] ?? '' };
}

const OTHERS_TYPE = /(?:^|\.)(?:Dist\w*Error|Rendezvous\w*Error|SignalException|ChildFailedError)$/;
const OTHERS_TEXT =
  /\/gloo\/|gloo connectFullMesh|NCCL error|nccl[A-Z]\w+Error|Connection closed by peer \[|Timed out waiting \d+ ?ms|Socket Timeout|[Ww]ait timeout after|got 0 bytes|store->get|monitoredBarrier|Watchdog caught|Detected mismatch between collectives/;

/** About waiting for others, lost peers, stores and groups: it names nobody. */
export function isAboutOthers({ type, message }: Link): boolean {
  return OTHERS_TYPE.test(type) || OTHERS_TEXT.test(message);
}
