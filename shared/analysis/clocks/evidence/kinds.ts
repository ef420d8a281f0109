/** How far each kind of evidence is trusted when it contradicts the rest, and how finely it tells. */
import type { Precision } from '../solver/align.ts';
import type { Blame } from '../solver/resolve.ts';
import type { EvidenceKind, EvidenceTable } from './evidence-table.ts';

interface Nature {
  readonly strength: ReturnType<Blame['strength']>;
  readonly precision: Precision;
}

const NATURES: Readonly<Record<EvidenceKind, Nature>> = {
  collective: { strength: 'hard', precision: 'ends' },
  transfer: { strength: 'argued', precision: 'ends' },
  lockstep: { strength: 'argued', precision: 'beginnings' },
  kubernetes: { strength: 'hard', precision: 'coarse' },
  'time-service': { strength: 'hard', precision: 'coarse' },
  'clock-note': { strength: 'assumed', precision: 'coarse' },
  override: { strength: 'hard', precision: 'coarse' },
  progress: { strength: 'assumed', precision: 'coarse' },
  'communicator-init': { strength: 'assumed', precision: 'ends' },
  'set-up': { strength: 'assumed', precision: 'coarse' },
  'dump-signal': { strength: 'assumed', precision: 'coarse' },
  'usual-delay': { strength: 'assumed', precision: 'coarse' },
};

const natureOf = (table: EvidenceTable, label: number): Nature => NATURES[table.labels[label]?.kind ?? 'kubernetes'];

export const strengthIn =
  (table: EvidenceTable) =>
  (label: number): Nature['strength'] =>
    natureOf(table, label).strength;

export const precisionIn =
  (table: EvidenceTable) =>
  (label: number): Precision =>
    natureOf(table, label).precision;
