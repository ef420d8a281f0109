export type CollectivesShow = 'around' | 'all' | 'differences';

/** What the Collectives screen shows. Fields that are absent have the value of the start. */
export interface CollectivesTarget {
  /** Group id as in the report; null = the whole job, or the one group of a small job. */
  readonly group: string | null;
  /** The call to look at; null = the one in which ranks part. */
  readonly seq: number | null;
  /** True: all groups, though the job is small. */
  readonly whole?: boolean;
  /** Absent: around the first difference. */
  readonly show?: CollectivesShow;
  readonly hideEqual?: boolean;
  /** Rows by the moment at which calls were entered, in place of their numbers; around one call only. */
  readonly byTime?: boolean;
  /** One rank of each set that is shown rank by rank. */
  readonly split?: readonly number[];
  /** The picture of ranks × calls in place of the table. */
  readonly matrix?: boolean;
  /** Ranks that stand side by side in the detail; absent = chosen by what differs. */
  readonly sides?: readonly number[];
}
export const COLLECTIVES_START: CollectivesTarget = { group: null, seq: null };
