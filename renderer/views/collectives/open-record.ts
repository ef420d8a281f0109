/** From a cell to its record in the evidence. */
import { type CaseId, entryId } from '#shared/model/ids.ts';
import { bridge } from '../../data/bridge.ts';
import { ALL_FILES, useNavigation } from '../../stores/navigation.ts';
import { useSelection } from '../../stores/selection.ts';
import type { RawPlace } from '../../viewmodels/evidence-rows.ts';
import { rawTarget } from '../evidence/raw-target.ts';

export interface CallPlace {
  readonly group: string;
  readonly seq: number;
  readonly part: number;
  readonly pair: { readonly from: number; readonly to: number } | null;
}

/** Only what the question takes: rows of the table carry more. */
export const placeOfCall = ({ group, seq, part, pair }: CallPlace): CallPlace => ({ group, seq, part, pair });

export interface SourcePlace {
  readonly entry: number | undefined;
  readonly record: number | undefined;
  readonly line: number | undefined;
}

/** The record of a dump, the line of a log, else the file as a whole. */
export function showSource(caseId: CaseId, { entry, record, line }: SourcePlace): void {
  if (entry === undefined) return;
  const place: RawPlace =
    record !== undefined ? { kind: 'record', record } : line !== undefined ? { kind: 'line', line } : { kind: 'whole' };
  const target = rawTarget(entryId(entry), place);
  useNavigation.getState().go({ screen: 'evidence', caseId, files: ALL_FILES, target });
}

/** Opens the record of `rank`; where it has none for this call, its newest one, else the line of the log that tells of it. */
export async function openRecord(caseId: CaseId, call: CallPlace, rank: number): Promise<void> {
  const answer = await bridge.request('collectives.call', { caseId, ...placeOfCall(call), ranks: [rank] });
  const side = answer.ok ? answer.value?.sides[0] : undefined;
  if (side !== undefined) showSource(caseId, side);
}

/** The one selected thing of the window; its record follows when the detail knows it. */
export function selectCall(
  call: CallPlace,
  rank: number,
  side: { readonly entry: number; readonly record: number } | null,
): void {
  if (call.pair !== null && side === null) {
    useSelection.getState().select({ kind: 'rank', rank });
    return;
  }
  useSelection.getState().select({
    kind: 'call',
    group: call.group,
    seq: call.seq,
    rank,
    record: side === null ? null : { entryId: entryId(side.entry), record: side.record },
  });
}
