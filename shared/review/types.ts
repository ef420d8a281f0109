/** The result of a review. */
import type { Evidence } from '../model/finding.ts';

/**
 * - `good`     set as it should be, or known to be on otherwise
 * - `missing`  not set, and the next failure will be harder to decide
 * - `unfit`    set to a value that hides a failure or gets in its way
 * - `differs`  not the same in all Pods, and it should be
 * - `unknown`  the bundle does not say (no Pod, masked, from elsewhere)
 * - `note`     worth knowing when reading this bundle
 */
export type SettingState = 'good' | 'missing' | 'unfit' | 'differs' | 'unknown' | 'note';
export type SettingArea = 'recorder' | 'watchdog' | 'nccl' | 'gloo' | 'logs' | 'pod' | 'launcher';

export interface SettingItem {
  /** The variable as this release calls it, or the field of the Pod. */
  readonly name: string;
  readonly area: SettingArea;
  readonly state: SettingState;
  /** What was found, in words: a value, "not set", values by Pod. */
  readonly found: string;
  /** Value it should have; undefined where nothing is to be set. */
  readonly want: string | undefined;
  readonly why: string;
  readonly sources: readonly Evidence[];
}

export interface PatchVariable {
  readonly name: string;
  readonly value: string;
  readonly why: string;
}

export interface SettingsPatch {
  readonly variables: readonly PatchVariable[];
  readonly forms: readonly {
    readonly kind: 'pytorchjob' | 'jobset' | 'polyaxon' | 'shell';
    readonly title: string;
    /** The workload of the bundle is of this kind. */
    readonly fits: boolean;
    readonly text: string;
  }[];
  /** What a patch cannot do. */
  readonly notes: readonly string[];
}

export interface SettingsReview {
  /** Pods whose specification could be read. */
  readonly pods: number;
  /** Release that decides the names; undefined = not told or not the same everywhere. */
  readonly torch: string | undefined;
  readonly items: readonly SettingItem[];
  /** Undefined where nothing is missing. */
  readonly patch: SettingsPatch | undefined;
}
