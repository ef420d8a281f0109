/** What the analyst knows of a clock and the bundle does not tell. It takes the place of all other evidence about it. */
import type { EvidenceTable } from './evidence/evidence-table.ts';
import type { Operations } from './solver/operations.ts';

export interface ClockOverride {
  readonly clock: string;
  /** The clock that it is compared with. */
  readonly against: string;
  /** `clock` minus `against`, ms, at the moment of interest. */
  readonly offsetMs: number;
  /** The true offset lies within this much of it, ms. */
  readonly boundMs: number;
  /** Why; shown with every time that depends on it. */
  readonly reason: string;
}

/**
 * The table with the overrides in it, later ones over earlier ones of the same clock. An override without a reason, of an
 * unknown clock, or with a bound that is not a number of at least 0 is not taken, and the note says so.
 */
export function setByAnalyst(
  table: EvidenceTable,
  overrides: readonly ClockOverride[],
  moments: Float64Array,
): { readonly operations: Operations; readonly notes: readonly string[]; readonly taken: readonly ClockOverride[] } {
  const notes: string[] = [];
  const taken = new Map<number, { readonly label: number; readonly override: ClockOverride }>();
  for (const override of new Map(overrides.map((one) => [one.clock, one])).values()) {
    const refusal = whyNot(table, override);
    if (refusal !== undefined) {
      notes.push(`The setting for ${override.clock} was not used: ${refusal}.`);
      continue;
    }
    const own = table.indexOf(override.clock) ?? 0;
    const other = table.indexOf(override.against) ?? 0;
    const at = Number.isFinite(moments[other]) ? (moments[other] ?? 0) : 0;
    const [offset, bound] = [override.offsetMs * 1e6, override.boundMs * 1e6];
    const why = `set by the analyst against ${override.against}: ${override.reason.trim()}`;
    const label = table.label({ kind: 'override', why, source: undefined });
    table.builder.begin(label);
    table.builder.row(other, at, at);
    table.builder.row(own, at + offset - bound, at + offset + bound);
    // The offset is meant for the moment of interest: no drift widens it.
    moments[other] = at;
    moments[own] = at + offset;
    taken.set(own, { label, override });
  }
  const operations = table.finish();
  for (let k = 0; k < operations.count; k++) {
    for (let row = operations.start[k] ?? 0; row < (operations.start[k + 1] ?? 0); row++) {
      const own = taken.get(operations.domain[row] ?? -1);
      if (own === undefined || own.label === operations.label[k] || isOverride(table, operations, k)) continue;
      for (const column of [operations.low, operations.likelyLow]) column[row] = -Infinity;
      for (const column of [operations.high, operations.likelyHigh]) column[row] = Infinity;
    }
  }
  return { operations, notes, taken: [...taken.values()].map(({ override }) => override) };
}

const isOverride = (table: EvidenceTable, operations: Operations, k: number): boolean =>
  table.labels[operations.label[k] ?? -1]?.kind === 'override';

function whyNot(table: EvidenceTable, override: ClockOverride): string | undefined {
  if (override.reason.trim() === '') return 'it has no reason';
  if (table.indexOf(override.clock) === undefined) return 'the bundle has no such clock';
  if (table.indexOf(override.against) === undefined) return `the bundle has no clock ${override.against}`;
  if (override.clock === override.against) return 'a clock cannot be compared with itself';
  if (!Number.isFinite(override.offsetMs)) return 'the offset is not a number';
  if (!(override.boundMs >= 0 && Number.isFinite(override.boundMs))) return 'the bound is not a number of at least 0';
  return undefined;
}
