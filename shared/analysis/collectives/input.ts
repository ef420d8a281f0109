/** What the comparison of collectives takes. */
import type { PlacedEvent } from '../../model/facts.ts';
import type { FlightRecorderDump } from '../../model/flight-recorder.ts';
import type { DumpRankConflict } from './dump-ranks.ts';

/** A dump and the rank it belongs to. */
export interface RankedDump {
  readonly dump: FlightRecorderDump;
  /** Global rank; undefined if nothing tells it: such a dump is not compared. */
  readonly rank: number | undefined;
  readonly basis: 'file-name' | 'group-members' | 'none';
  /** False for the older of two dumps of one rank, and for one of an earlier attempt than the others': kept, shown, not compared. */
  readonly current: boolean;
  /** True if the job had several attempts and nothing tells which one this dump is of. It is compared, but relates no clocks. */
  readonly attemptUntold?: true;
}

export interface CollectivesInput {
  readonly dumps: readonly RankedDump[];
  /** Any placed events; those of the kinds that tell about collectives are used. */
  readonly events: readonly PlacedEvent[];
  /** Ranks the job should have, if something outside the dumps says so (launcher lines, Pod specs). */
  readonly worldSize: number | undefined;
  /** What was in doubt when the dumps got their ranks; passed on as issues. */
  readonly conflicts?: readonly DumpRankConflict[];
}
