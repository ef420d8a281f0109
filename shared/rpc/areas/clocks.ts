/** The Clocks screen: the stored view, and what the analyst sets about clocks. */
import { z } from 'zod';
import type { CaseId } from '../../model/ids.ts';
import type { ClocksView } from '../../views/clocks/types.ts';
import { caseIdSchema as caseId } from '../params.ts';
import type { AreaValidators } from './area.ts';

export interface ClockSetting {
  readonly clock: string;
  readonly against: string;
  /** `clock` minus `against`, ms, at the incident. */
  readonly offsetMs: number;
  /** The true offset lies within this much of it, ms. */
  readonly boundMs: number;
  readonly reason: string;
}

export type ClocksMethods = {
  readonly 'clocks.view': {
    readonly params: { readonly caseId: CaseId };
    /** `view` null = no two clocks of the case are related. */
    readonly result: { readonly view: ClocksView | null; readonly settings: readonly ClockSetting[] };
  };
  /**
   * Stores the whole new list and analyses the case again with it; nothing is stored if that fails or is stopped. May take as long as the
   * analysis did: `clocks.progress` tells how far it is, to all windows.
   */
  readonly 'clocks.set': {
    readonly params: { readonly caseId: CaseId; readonly settings: readonly ClockSetting[] };
    readonly result: { readonly settings: readonly ClockSetting[] };
  };
  /** Stops the analysis that `clocks.set` runs; that answers `analysis-stopped`. False = none runs, or it writes its result already. */
  'clocks.stop': { readonly params: { readonly caseId: CaseId }; readonly result: { readonly stopping: boolean } };
};

/** How far a new analysis of a case is. */
export interface ClocksProgress {
  readonly caseId: CaseId;
  /** `ended`: done, failed or stopped. */
  readonly step: AnalysisStep | 'ended';
  /** 0..1, never runs backwards. */
  readonly fraction: number;
}

export type AnalysisStep = 'reading' | 'analysing' | 'drawing' | 'writing';

const clock = z.string().min(1).max(4096);
/** A year either way: a wrong year is the largest error that clocks have. */
const MAX_MS = 400 * 86_400_000;
const settingSchema = z.strictObject({
  clock,
  against: clock,
  offsetMs: z.number().min(-MAX_MS).max(MAX_MS),
  boundMs: z.number().min(0).max(MAX_MS),
  reason: z
    .string()
    .max(2000)
    .refine((text) => text.trim() !== ''),
});

export const CLOCKS_VALIDATORS: AreaValidators<ClocksMethods> = {
  'clocks.view': z.strictObject({ caseId }),
  'clocks.stop': z.strictObject({ caseId }),
  'clocks.set': z.strictObject({
    caseId,
    settings: z
      .array(settingSchema)
      .max(1024)
      .refine((all) => new Set(all.map((one) => one.clock)).size === all.length),
  }),
};
