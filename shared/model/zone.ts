/** The zone of a log's stamps that name none: proven by the bundle, or not known. */
import type { EntryId } from './ids.ts';
import type { SourceRef } from './source-ref.ts';

/** How a zone was proven. */
export type ZoneProof =
  /** The same lines stand in the bundle with a runtime's stamp, too. */
  | 'same-line'
  /** The recorder of the same rank holds the call that a timeout line counts back to. */
  | 'call'
  /** The same lines stand, as written, in a log whose zone is proven. */
  | 'copy'
  /** Only one zone puts all lines between the start and the end of their container. */
  | 'container';

export interface StreamZone {
  readonly entry: EntryId;
  /** Where several Pods share a file. */
  readonly pod: string | undefined;
  /** Minutes east of UTC, a multiple of 15; undefined = not proven, and the stamps stay uncompared. */
  readonly minutes: number | undefined;
  /** Zones that the evidence leaves open, ascending; empty if nothing bounds them or if it excludes each other. */
  readonly candidates: readonly number[];
  readonly proof: ZoneProof | undefined;
  /** Lines that agree; 0 for `container`. */
  readonly anchors: number;
  /** Why, in a sentence without its full stop. */
  readonly text: string;
  /** Where the first of it can be read. */
  readonly source: SourceRef | undefined;
}
