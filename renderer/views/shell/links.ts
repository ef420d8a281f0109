/** From any thing to the screen that shows it: one function a screen, so that every link lands the same way. */
import type { CaseId, EntryId } from '#shared/model/ids.ts';
import { ALL_FILES, type RawTarget, startOf, useNavigation } from '../../stores/navigation.ts';
import { type Selected, useSelection } from '../../stores/selection.ts';
import type { LogsTarget } from '../../stores/targets/logs.ts';
import type { RawPlace } from '../../viewmodels/evidence-rows.ts';
import { rawTarget } from '../evidence/raw-target.ts';

const go: ReturnType<typeof useNavigation.getState>['go'] = (place) => useNavigation.getState().go(place);

export function showFile(caseId: CaseId, target: RawTarget): void {
  go({ screen: 'evidence', caseId, files: ALL_FILES, target });
}

export const showSource = (caseId: CaseId, entryId: EntryId, place: RawPlace): void =>
  showFile(caseId, rawTarget(entryId, place));

export function showLogs(caseId: CaseId, target: Partial<LogsTarget>): void {
  const start = startOf('logs', caseId);
  if (start.screen === 'logs') go({ ...start, target: { ...start.target, ...target } });
}

/** `at`: ISO 8601 UTC. */
export function showOnTimeline(caseId: CaseId, at: string | null): void {
  const start = startOf('timeline', caseId);
  if (start.screen === 'timeline') go({ ...start, target: { ...start.target, at } });
}

export function showLane(caseId: CaseId, rank: number): void {
  const start = startOf('timeline', caseId);
  if (start.screen === 'timeline') go({ ...start, target: { ...start.target, lane: `rank-${rank}` } });
}

export function showCollective(caseId: CaseId, group: string, seq: number | null): void {
  const start = startOf('collectives', caseId);
  if (start.screen === 'collectives') go({ ...start, target: { ...start.target, group, seq } });
}

export function showRank(caseId: CaseId, rank: number): void {
  const start = startOf('ranks', caseId);
  if (start.screen === 'ranks') go({ ...start, target: { ...start.target, rank } });
}

export function showClock(caseId: CaseId, clock: string): void {
  const start = startOf('clocks', caseId);
  if (start.screen === 'clocks') go({ ...start, target: { ...start.target, clock } });
}

/** Shows something in the inspector without leaving the screen. */
export function preview(selected: Selected): void {
  useSelection.getState().select(selected);
  useSelection.getState().setInspector(true);
}
