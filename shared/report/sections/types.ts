/** A report as sections of blocks. All text is plain: who writes it down escapes it. */
import type { Outcome, Status } from '../../model/finding.ts';
import type { Report } from '../schema.ts';

export const SECTION_IDS = [
  'verdict',
  'evidence',
  'timeline',
  'alternatives',
  'divergence',
  'ranks',
  'clocks',
  'gaps',
  'settings',
  'starred',
  'issues',
  'manifest',
] as const;
export type SectionId = (typeof SECTION_IDS)[number];

export const SECTION_TITLE: Readonly<Record<SectionId, string>> = {
  verdict: 'Verdict and status',
  evidence: 'Evidence for and against',
  timeline: 'Timeline at the fault',
  alternatives: 'Alternatives, other findings',
  divergence: 'First divergence',
  ranks: 'Ranks, and who waits',
  clocks: 'Clock statement',
  gaps: 'Gaps',
  settings: 'Settings and patch',
  starred: 'Starred records, notes',
  issues: 'Issues of reading',
  manifest: 'Manifest of hashes',
};

export interface ListItem {
  readonly text: string;
  /** With clock basis and bound where they are known. */
  readonly time: string | null;
  /** File and line, record or byte. */
  readonly place: string | null;
}

export type Block =
  | {
      readonly kind: 'statement';
      readonly status: Status;
      readonly outcome: Outcome;
      readonly ranks: string;
      readonly text: string;
      readonly meaning: string;
    }
  | { readonly kind: 'facts'; readonly rows: readonly (readonly [string, string])[] }
  | { readonly kind: 'heading'; readonly text: string }
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'list';
      readonly ordered: boolean;
      readonly items: readonly ListItem[];
      /** Number of the first item; 1 if not given. */
      readonly start?: number;
    }
  | {
      readonly kind: 'table';
      readonly head: readonly string[];
      readonly rows: readonly (readonly string[])[];
      /** Positions of columns of numbers, hashes and paths. */
      readonly mono: readonly number[];
    }
  | { readonly kind: 'code'; readonly title: string; readonly text: string }
  | { readonly kind: 'figure'; readonly figure: Figure };

export interface Section {
  readonly id: SectionId;
  readonly title: string;
  /** What is in it: `7 items`; empty = nothing to say. */
  readonly count: string;
  readonly blocks: readonly Block[];
}

export type BarState =
  | 'completed'
  | 'waiting'
  | 'enqueued'
  | 'never-enqueued'
  | 'differs'
  | 'failed'
  | 'first'
  | 'ended'
  | 'missing';

/** Parts of the width, 0 to 1. */
export interface FigureBar {
  readonly from: number;
  readonly to: number;
  readonly state: BarState;
  readonly label: string;
}

export interface FigureLane {
  readonly label: string;
  readonly first: boolean;
  readonly bars: readonly FigureBar[];
  /** Why there is nothing to draw; null = there is. */
  readonly missing: string | null;
}

export interface Figure {
  readonly lanes: readonly FigureLane[];
  readonly ticks: readonly { readonly at: number; readonly label: string }[];
  /** Its moment, and half the width of what is not known of it. */
  readonly fault: { readonly at: number; readonly half: number } | null;
  readonly caption: string;
}

export interface ReportNote {
  readonly about: string;
  readonly starred: boolean;
  readonly text: string;
  /** The starred line itself; null where the subject is no line. */
  readonly excerpt: string | null;
  readonly written: string;
  /** The analyst's own status of the verdict, whose sentence stands in `about`; null = no dissent. */
  readonly dissent?: Status | null;
}

export interface ManifestFile {
  readonly path: string;
  readonly bytes: number;
  readonly sha256: string | null;
  readonly status: string;
}

export interface DocumentInput {
  /** What the analyst calls the case. */
  readonly title: string;
  readonly report: Report;
  readonly notes: readonly ReportNote[];
  readonly files: readonly ManifestFile[];
  readonly figure: Figure | null;
}

export interface ReportDocument {
  readonly title: string;
  readonly redacted: boolean;
  /** Program, version, bundle: the last line. */
  readonly foot: string;
  readonly sections: readonly Section[];
}
