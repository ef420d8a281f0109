/** From the evidence of one stream to its zone, or to what is left open. */
import type { SourceRef } from '../../../model/source-ref.ts';
import type { StreamZone } from '../../../model/zone.ts';
import type { Anchor } from './anchors.ts';
import type { ZoneRange } from './container-range.ts';

export const MINUTE_NS = 60_000_000_000n;
const STEP_MIN = 15;
const LEAST_MIN = -12 * 60;
const MOST_MIN = 14 * 60;

/** Lines that must agree, and how far each may lie from the zone: delays of writing are seconds. */
const MIN_LINES = 3;
const LINE_REST_NS = 120_000_000_000n;
/** A call is one and the same thing on one clock: its line is late by a poll and a rounded second at most. */
const CALL_REST_NS = 5_000_000_000n;

type Decision = Omit<StreamZone, 'entry' | 'pod'>;

export function decideZone(anchors: readonly Anchor[], range: ZoneRange | undefined): Decision {
  const calls = agreed(
    anchors.filter(({ kind }) => kind === 'call'),
    CALL_REST_NS,
  );
  const lines = agreed(
    anchors.filter(({ kind }) => kind === 'same-line'),
    LINE_REST_NS,
  );
  const open = range === undefined ? undefined : zonesIn(range);
  if (calls === 'differ' || lines === 'differ')
    return unknown([], 'lines of this log point at different zones', anchors[0]?.source);
  const said = [calls, lines].filter((one) => one !== undefined);
  const [first] = said;
  if (first !== undefined && said.some(({ minutes }) => minutes !== first.minutes))
    return unknown([], 'a timeout and the copies of its lines point at different zones', first.source);
  // A zone beside the container's life is a contradiction: one of the two is not what it seems.
  if (first !== undefined && open !== undefined && !open.includes(first.minutes))
    return unknown([], 'its lines point at a zone that puts them outside the life of their container', first.source);
  if (calls !== undefined)
    return proven(
      'call',
      calls,
      `${countOf(calls.count, 'timeout line')} of this log count back to a call in the dump of the same rank`,
    );
  if (lines !== undefined && lines.count >= MIN_LINES)
    return proven(
      'same-line',
      lines,
      `${countOf(lines.count, 'line')} of this log also stand with a stamp of the runtime`,
    );
  return byContainer(range, open, lines);
}

function byContainer(
  range: ZoneRange | undefined,
  open: readonly number[] | undefined,
  lines: Agreed | undefined,
): Decision {
  if (range === undefined || open === undefined)
    return unknown(
      [],
      lines === undefined ? NOTHING : 'too few lines also stand with a stamp of the runtime',
      lines?.source,
    );
  const closed = range.leastNs !== undefined && range.mostNs !== undefined;
  if (open.length === 0)
    return unknown([], `no zone puts all its lines inside the life of ${range.container}`, range.source);
  const [only] = open;
  if (closed && open.length === 1 && only !== undefined)
    return {
      minutes: only,
      candidates: open,
      proof: 'container',
      anchors: 0,
      text: `no other zone puts all its lines between start and end of ${range.container}`,
      source: range.source,
    };
  return unknown(open, `several zones put its lines inside the life of ${range.container}`, range.source);
}

const NOTHING = 'nothing in the bundle ties its stamps to a stamp with a zone';

const unknown = (candidates: readonly number[], text: string, source: SourceRef | undefined): Decision => ({
  minutes: undefined,
  candidates,
  proof: undefined,
  anchors: 0,
  text,
  source,
});

interface Agreed {
  readonly minutes: number;
  readonly count: number;
  readonly source: SourceRef;
}

function proven(proof: 'call' | 'same-line', { minutes, count, source }: Agreed, text: string): Decision {
  return { minutes, candidates: [minutes], proof, anchors: count, text, source };
}

/** `differ` if a single anchor points elsewhere: no majority decides. */
function agreed(anchors: readonly Anchor[], restNs: bigint): Agreed | 'differ' | undefined {
  const [first] = anchors;
  if (first === undefined) return undefined;
  const found = anchors.map(({ differenceNs }) => nearest(differenceNs, restNs));
  const [minutes] = found;
  if (minutes === undefined || found.some((one) => one !== minutes)) return 'differ';
  return { minutes, count: anchors.length, source: first.source };
}

/** The zone that a difference lies at; undefined if it lies between two. */
function nearest(differenceNs: bigint, restNs: bigint): number | undefined {
  const minutes = Math.round(Number(differenceNs) / Number(MINUTE_NS) / STEP_MIN) * STEP_MIN;
  const rest = differenceNs - BigInt(minutes) * MINUTE_NS;
  if (minutes < LEAST_MIN || minutes > MOST_MIN) return undefined;
  return rest <= restNs && rest >= -restNs ? (minutes === 0 ? 0 : minutes) : undefined;
}

function zonesIn({ leastNs, mostNs }: ZoneRange): readonly number[] {
  const found: number[] = [];
  for (let minutes = LEAST_MIN; minutes <= MOST_MIN; minutes += STEP_MIN) {
    const ns = BigInt(minutes) * MINUTE_NS;
    if ((leastNs === undefined || ns >= leastNs) && (mostNs === undefined || ns <= mostNs)) found.push(minutes);
  }
  return found;
}

const countOf = (count: number, one: string): string => (count === 1 ? `1 ${one}` : `${count} ${one}s`);
