import { type EventBody, UNTOLD_ORIGIN } from '#shared/model/events.ts';
import type { PlacedEvent } from '#shared/model/facts.ts';
import { entryId } from '#shared/model/ids.ts';
import { type EpochNs, epochNs, type StampKind } from '#shared/model/time.ts';

const BASE = 1_800_000_000_000_000_000n;
/** Milliseconds of the story as a stamp, and back. */
export const at = (t: number): EpochNs => epochNs(BASE + BigInt(Math.round(t * 1e6)));
export const ms = (ns: bigint): number => Number(ns - BASE) / 1e6;

/** One event on a clock, as the rank map leaves it. */
export function placed(
  clock: string,
  t: number,
  body: EventBody,
  { rank, kind = 'runtime' }: { readonly rank?: number; readonly kind?: StampKind | undefined } = {},
): PlacedEvent {
  return {
    event: {
      body,
      ...UNTOLD_ORIGIN,
      stamp: { ns: at(t), kind, resolutionNs: 1, zoneAssumed: false },
      rank,
      text: '',
      source: { kind: 'entry', entry: entryId(0) },
      lastLine: 0,
    },
    stream: undefined,
    rank,
    rankWhy: '',
    attempt: 0,
    pod: undefined,
    node: clock,
    clock,
  };
}
