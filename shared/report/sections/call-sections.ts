/** First divergence, ranks and who waits, clocks. */
import { formatRanks } from '../../lib/rank-set.ts';
import type { CellState } from '../../model/divergence-table.ts';
import { intervalMs, signedMs } from '../../text/clock-text.ts';
import { formatCount, plural } from '../../text/format.ts';
import { clockItems } from '../clock-markdown.ts';
import { rankSets } from '../rank-sets.ts';
import type { Report, ReportRank, ReportTable } from '../schema.ts';
import { type Block, type DocumentInput, SECTION_TITLE, type Section } from './types.ts';
import { plainItem, shownTime } from './words.ts';

/** Rows that a reader can take in; all of them are in the JSON form. */
const MAX_RANKS = 64;
const MAX_CLOCKS = 64;

export const callSections = ({ report }: DocumentInput): readonly Section[] => [
  divergence(report),
  ranks(report),
  clocks(report),
];

function divergence({ collectives }: Report): Section {
  const first = collectives.firstDivergence;
  const { table } = collectives;
  const blocks: Block[] = [];
  if (first !== null) {
    blocks.push({
      kind: 'facts',
      rows: [
        ['Where', `${groupName(collectives, first.group)} #${first.seq}`],
        [
          'Deviating',
          first.ranks.length > 0
            ? rankWords(first.ranks)
            : (first.sides ?? []).map((side) => `ranks ${formatRanks(side)}`).join(' against '),
        ],
        ['Expected', first.expected],
        ['Actual', first.actual],
        ['Why this one', first.why],
        ['Told by', first.basis === 'dump' ? 'recorder dumps' : 'log lines'],
      ],
    });
  }
  if (table != null) blocks.push(divergenceTable(table));
  for (const { ranks: set, frames } of first?.frames ?? [])
    blocks.push({
      kind: 'code',
      title: `Stack of ${set.length === 1 ? 'rank' : 'ranks'} ${formatRanks(set)}`,
      text: frames.join('\n'),
    });
  return {
    id: 'divergence',
    title: SECTION_TITLE.divergence,
    count: first === null ? '' : `#${first.seq}`,
    blocks,
  };
}

const rankWords = (set: readonly number[]): string => `${set.length === 1 ? 'rank' : 'ranks'} ${formatRanks(set)}`;

function groupName({ groups }: Report['collectives'], id: string): string {
  const desc = groups.find(({ group }) => group === id)?.desc ?? '';
  return desc === '' || desc === 'undefined' || desc === id ? id : `${id} (${desc})`;
}

const CELL_WORD: Readonly<Record<CellState, string>> = {
  completed: '✓',
  ended: '✓ ended, result unknown',
  waiting: '◐ waits',
  enqueued: '○ enqueued',
  'never-enqueued': '✕ never enqueued',
  'not-held': '▒ overwritten',
  'no-dump': '░ no dump',
  unknown: '? unknown',
};

function divergenceTable(table: ReportTable): Block {
  return {
    kind: 'table',
    head: [
      'call',
      ...table.columns.map(({ ranks: set }) => `${set.length === 1 ? 'rank' : 'ranks'} ${formatRanks(set)}`),
    ],
    rows: table.rows.map((seq, row) => [
      `${seq === table.seq ? '▶ ' : ''}#${seq}`,
      ...table.columns.map(({ cells }) => {
        const cell = cells[row];
        if (cell === undefined) return '';
        const call = cell.call === null ? '' : (table.calls[cell.call] ?? '');
        return [CELL_WORD[cell.state], call, cell.deviates ? '≠' : ''].filter(Boolean).join(' ');
      }),
    ]),
    mono: [0],
  };
}

const ROLE_WORD: Readonly<Record<ReportRank['role'], string>> = {
  first: 'first',
  victim: 'consequence',
  bystander: 'fine',
  unknown: 'unknown',
};

function ranks({ ranks: rows, collectives }: Report): Section {
  const all = rankSets({ ranks: rows });
  const shown = all.slice(0, MAX_RANKS);
  const blocks: Block[] = [];
  if (shown.length > 0)
    blocks.push({
      kind: 'table',
      head: ['ranks', 'role', 'Pod', 'node', 'dump', 'exit', 'last seen'],
      rows: shown.map((set) => [
        set.attempt === 0 || all.every(({ attempt }) => attempt === set.attempt)
          ? set.ranks
          : `${set.ranks} (attempt ${set.attempt})`,
        ROLE_WORD[set.role],
        set.pod === '' ? 'unknown' : set.pod,
        set.node === '' ? 'unknown' : set.node,
        set.dump,
        set.exit,
        set.lastSeen === null ? 'unknown' : shownTime(set.lastSeen),
      ]),
      mono: [],
    });
  if (all.length > shown.length)
    blocks.push({
      kind: 'text',
      text: `${plural(all.length - shown.length, 'more row')} in the JSON form: those above are the first to fail and their consequences.`,
    });
  const waits = collectives.explanation?.waits ?? [];
  if (waits.length > 0)
    blocks.push(
      { kind: 'heading', text: 'Who waits for whom' },
      {
        kind: 'table',
        head: ['who waits', 'in', 'call', 'for'],
        rows: waits.map((wait) => [
          `${formatCount(wait.count)}: ranks ${wait.ranks}`,
          groupName(collectives, wait.group),
          `#${wait.seq}`,
          /^\d/.test(wait.for) ? `ranks ${wait.for}` : wait.for,
        ]),
        mono: [2],
      },
    );
  return { id: 'ranks', title: SECTION_TITLE.ranks, count: all.length === 0 ? '' : plural(all.length, 'row'), blocks };
}

function clocks(report: Report): Section {
  const { clock } = report;
  const related = clock.domains.filter(({ offsetMs }) => offsetMs !== null);
  const blocks: Block[] = [
    {
      kind: 'text',
      text:
        related.length === 0
          ? 'Offsets between the clocks are not known: times of different nodes may not be compared. All times are raw stamps.'
          : `Times are corrected to ${clock.reference ?? 'the reference clock'} where the offset of their clock is known; the others are raw stamps and say so. A guaranteed bound must hold, a likely one is narrower.`,
    },
  ];
  if (related.length > 0)
    blocks.push({
      kind: 'table',
      head: ['clock', 'offset', 'guaranteed, ms', 'likely, ms', 'anchors', 'quality'],
      rows: clock.domains.slice(0, MAX_CLOCKS).map(({ id, offsetMs, anchors, quality }) => {
        const reference = id === clock.reference;
        return [
          id,
          reference ? 'reference' : offsetMs === null ? 'unknown' : `${signedMs(offsetMs.estimate)} ms`,
          reference || offsetMs === null ? '' : intervalMs(offsetMs.low, offsetMs.high),
          reference || offsetMs === null ? '' : intervalMs(offsetMs.likelyLow, offsetMs.likelyHigh),
          String(anchors),
          quality,
        ];
      }),
      mono: [1, 2, 3, 4],
    });
  if (clock.domains.length > MAX_CLOCKS)
    blocks.push({ kind: 'text', text: `${plural(clock.domains.length - MAX_CLOCKS, 'more clock')} in the JSON form.` });
  const items = clockItems({ clock }, (text) => text);
  if (items.length > 0) blocks.push({ kind: 'list', ordered: false, items: items.map(plainItem) });
  return { id: 'clocks', title: SECTION_TITLE.clocks, count: plural(clock.domains.length, 'clock'), blocks };
}
