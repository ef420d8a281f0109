/** Pieces of invented reports. */
import type {
  Report,
  ReportEvidence,
  ReportFinding,
  ReportGap,
  ReportRank,
  ReportVerdict,
} from '#shared/report/schema.ts';

type Evidence = Partial<ReportEvidence> & Pick<ReportEvidence, 'text' | 'file'>;

export const evidence = (item: Evidence): ReportEvidence => ({
  line: null,
  byte: null,
  record: null,
  rank: null,
  time: null,
  boundMs: null,
  timeBasis: item.time === undefined || item.time === null ? null : 'raw',
  entryId: 0,
  ...item,
});

export const NOTHING: ReportVerdict = {
  outcome: 'cannot-tell',
  status: 'not-determinable',
  stage: 'unknown',
  cause: 'none',
  firstRanks: [],
  candidates: [],
  symptomRanks: [],
  pod: null,
  node: null,
  attempt: null,
  at: null,
  summary: '',
  because: [],
  against: [],
  wouldChange: [],
  nextChecks: [],
};

interface RankOptions {
  readonly count: number;
  readonly perNode: number;
  readonly nodeName: (index: number) => string;
  readonly podName: (index: number) => string;
  readonly change: (rank: number) => Partial<ReportRank>;
}

export function ranksOf(options: RankOptions): ReportRank[] {
  return Array.from({ length: options.count }, (_, rank): ReportRank => {
    const node = Math.floor(rank / options.perNode);
    return {
      rank,
      localRank: rank % options.perNode,
      pod: options.podName(node),
      node: options.nodeName(node),
      container: 'trainer',
      gpu: String(rank % options.perNode),
      attempt: 0,
      clock: options.nodeName(node),
      clockOffsetMs: null,
      dump: 'present',
      role: 'victim',
      exit: null,
      lastSeen: `2026-02-18T10:38:${String(25 + (rank % 4)).padStart(2, '0')}.${String(500 + rank).padStart(3, '0')}Z`,
      files: [`logs/${options.podName(node)}.log`],
      basis: ['[rankN]: prefix'],
      conflicts: [],
      ...options.change(rank),
    };
  });
}

export const clocks = (...ids: string[]): Report['clock'] => ({
  reference: null,
  domains: ids.map((id, component) => ({
    id,
    kind: 'node',
    offsetMs: null,
    driftPpm: null,
    quality: 'none',
    anchors: 0,
    basis: [],
    component,
  })),
});

export const gap = (
  item: string,
  state: ReportGap['state'],
  matters: string,
  collect: string,
  where = '',
): ReportGap => ({
  item,
  state,
  where,
  matters,
  collect,
});

export const files = (counts: Partial<Report['bundle']['files']>): Report['bundle']['files'] => ({
  total: 0,
  read: 0,
  warned: 0,
  empty: 0,
  truncated: 0,
  skipped: 0,
  refused: 0,
  failed: 0,
  duplicate: 0,
  ...counts,
});

export function report(parts: Partial<Report> & Pick<Report, 'bundle' | 'incident' | 'verdict'>): Report {
  return {
    schema: 'firstfault-report/1',
    tool: { name: 'Firstfault', version: '0.1.0' },
    clock: clocks(),
    ranks: [],
    collectives: { groups: [], firstDivergence: null },
    findings: [],
    gaps: [],
    issues: [],
    ...parts,
  };
}

export const asFinding = (verdict: ReportVerdict, id: string, rule: string): ReportFinding => ({
  ...verdict,
  id,
  rule,
});
