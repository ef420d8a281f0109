/** What a time service said of one node's clock. */
import type { SourceRef } from './source-ref.ts';
import type { EpochNs } from './time.ts';

export interface TimeReport {
  readonly source: SourceRef;
  readonly tool:
    | 'chronyc-tracking'
    | 'chronyc-sources'
    | 'chrony-tracking-log'
    | 'ntpq'
    | 'timesync-status'
    | 'timedatectl';
  /**
   * The node's clock minus true time, ms; undefined = not known, which is not 0 (a clock that is not synchronised).
   * `guaranteed`: the service bounds its own error; `likely`: the bound is taken from the spread of its samples.
   */
  readonly offset:
    | { readonly lowMs: number; readonly highMs: number; readonly certainty: 'guaranteed' | 'likely' }
    | undefined;
  /** Moment of the measurement in true time; undefined if the output does not tell. */
  readonly at: EpochNs | undefined;
  /** Undefined = not said. */
  readonly synchronised: boolean | undefined;
  /** Minutes east of UTC of the node's zone, where told. */
  readonly zoneMinutes: number | undefined;
}
