/** The zone that a cluster writes its stamps in, where the bundle proves one: most images run in UTC, but not all. */
import type { Report } from '#shared/report/schema.ts';
import { zoneName } from '#shared/text/clock-text.ts';
import { plural } from '#shared/text/format.ts';

export interface ClusterZone {
  /** Ahead of UTC. */
  readonly minutes: number;
  /** `UTC+1, proven by 3 logs`. */
  readonly words: string;
}

/** Null where no log's zone is proven, or where two are proven to differ: then the cluster has no one zone. */
export function clusterZone({ clock }: Report): ClusterZone | null {
  const proven = (clock.zones ?? []).flatMap(({ minutes }) => (minutes === null ? [] : [minutes]));
  const [minutes] = proven;
  if (minutes === undefined || proven.some((other) => other !== minutes)) return null;
  return { minutes, words: `${zoneName(minutes)}, proven by ${plural(proven.length, 'log')}` };
}
