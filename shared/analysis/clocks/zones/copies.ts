/** Logs that repeat lines of a log whose zone is proven: what a launcher writes to files and to its own output. */
import type { StreamZone } from '../../../model/zone.ts';
import { lacksZone, type Part } from './parts.ts';

/** Lines that must agree where nothing says that both logs are of one Pod. */
const MIN_LINES = 3;

/** For each part, what its copies prove; undefined where it has a zone, or where they prove none. */
export function copiedZones(
  parts: readonly Part[],
  known: ReadonlyMap<Part, number>,
): readonly (Omit<StreamZone, 'entry' | 'pod'> | undefined)[] {
  const lines = new Map<string, Map<number, Part>>();
  for (const part of parts) {
    const minutes = known.get(part);
    if (minutes === undefined) continue;
    for (const event of part.events) {
      const key = keyOf(event);
      const found = lines.get(key) ?? new Map<number, Part>();
      lines.set(key, found.set(minutes, part));
    }
  }
  return parts.map((part) => (known.has(part) ? undefined : copied(part, lines)));
}

function copied(
  part: Part,
  lines: ReadonlyMap<string, ReadonlyMap<number, Part>>,
): Omit<StreamZone, 'entry' | 'pod'> | undefined {
  const zones = new Set<number>();
  let count = 0;
  let samePod = false;
  let first: Part['events'][number] | undefined;
  for (const event of part.events) {
    for (const [minutes, other] of lines.get(keyOf(event)) ?? []) {
      zones.add(minutes);
      count += 1;
      first ??= event;
      const pod = podOf(part);
      samePod ||= pod !== undefined && pod === podOf(other);
    }
  }
  const [minutes] = zones;
  if (minutes === undefined || zones.size > 1 || (!samePod && count < MIN_LINES)) return undefined;
  return {
    minutes,
    candidates: [minutes],
    proof: 'copy',
    anchors: count,
    text: `${count === 1 ? '1 line' : `${count} lines`} of this log also stand in a log whose zone is proven`,
    source: first?.source,
  };
}

const podOf = ({ pod, streams }: Part): string | undefined => pod ?? streams[0]?.pod;

const keyOf = ({ stamp, rank, text }: Part['events'][number]): string =>
  `${lacksZone(stamp) ? stamp.ns : ''} ${rank ?? ''} ${text}`;
