/**
 * Two cases side by side: one row a fact that both may have, told as each bundle has it, and whether that is the same. Equal facts that
 * seldom are by chance (the same node, the same frame, the same first call) are `telling`.
 *
 * Pure over the two reports. Texts are as the bundles wrote them: escape them before they are shown.
 */
import { formatRanks } from '../../lib/rank-set.ts';
import type { Report, ReportRank } from '../../report/schema.ts';
import { plusMinus } from '../../text/clock-text.ts';
import { formatCount, plural } from '../../text/format.ts';
import { bracketTimes, whenLine } from '../../text/moment-text.ts';
import { CAUSE_WORD, OUTCOME_WORD, STAGE_WORD, STATUS_WORD } from '../../text/verdict-text.ts';
import { type CompareRow, row } from './row.ts';

export type { CompareRow, Sameness } from './row.ts';

/** In the order of reading (`SECTIONS`). Settings and versions of one name are one row. */
export function compareReports(a: Report, b: Report): readonly CompareRow[] {
  return [
    ...verdictRows(a, b),
    ...callRows(a, b),
    ...settingRows(a, b),
    ...softwareRows(a, b),
    ...placeRows(a, b),
    ...clockRows(a, b),
    ...evidenceRows(a, b),
  ];
}

function verdictRows(a: Report, b: Report): CompareRow[] {
  const section = 'verdict';
  const ranks = { a: a.verdict.firstRanks, b: b.verdict.firstRanks };
  return [
    row('first-rank', 'First rank', firstText(a), firstText(b), {
      section,
      kind: 'other rank',
      kindEqual: 'same rank',
      telling: a.verdict.firstRanks.length > 0,
      ranks,
    }),
    row('outcome', 'Outcome', OUTCOME_WORD[a.verdict.outcome], OUTCOME_WORD[b.verdict.outcome], { section }),
    row('status', 'Status', STATUS_WORD[a.verdict.status], STATUS_WORD[b.verdict.status], { section }),
    row('when', 'When', whenText(a), whenText(b), { section, kind: 'time only', weak: true }),
    row('what', 'What it did', a.verdict.summary, b.verdict.summary, { section }),
    row('cause', 'Cause', causeText(a), causeText(b), {
      section,
      telling: a.verdict.cause !== 'stalled-unknown',
      kindEqual: 'same cause',
    }),
    row('stage', 'Stage', STAGE_WORD[a.verdict.stage], STAGE_WORD[b.verdict.stage], { section }),
    row('peers', 'Peers that wait or follow', peersText(a), peersText(b), { section, kind: 'count only', weak: true }),
  ];
}

/** Stamps stay ISO 8601 UTC: how times are written is the window's. */
const whenText = ({ verdict }: Report): string | null =>
  (verdict.between ? bracketTimes(verdict.between, (iso) => iso) : whenLine(verdict, (iso) => iso)) || null;

/** No rank named is told as such: it is the result, not a hole. */
const firstText = ({ verdict }: Report): string =>
  verdict.firstRanks.length === 0
    ? 'none named'
    : `${verdict.firstRanks.length === 1 ? 'rank' : 'ranks'} ${formatRanks(verdict.firstRanks)}`;

/** Without a cause there is nothing to be the same. */
const causeText = ({ verdict }: Report): string | null => (verdict.cause === 'none' ? null : CAUSE_WORD[verdict.cause]);

const peersText = ({ verdict, incident }: Report): string =>
  `${formatCount(verdict.symptomRanks.length)} of ${incident.worldSize === null ? `${formatCount(incident.ranksSeen)} seen` : formatCount(incident.worldSize)}`;

type Divergence = NonNullable<Report['collectives']['firstDivergence']>;

function callRows(a: Report, b: Report): CompareRow[] {
  const section = 'call';
  const [x, y] = [a.collectives.firstDivergence, b.collectives.firstDivergence];
  if (x === null && y === null) return [row('call', 'First differing call', null, null, { section })];
  const group = (report: Report, one: Divergence | null): string | null =>
    one === null ? null : report.collectives.groups.find((known) => known.group === one.group)?.desc || one.group;
  return [
    row('group', 'Group', group(a, x), group(b, y), { section }),
    row('call', 'First differing call', x === null ? null : `#${x.seq}`, y === null ? null : `#${y.seq}`, {
      section,
      kind: 'number only',
      weak: true,
    }),
    row('call-kind', 'How it differs', x?.kind ?? null, y?.kind ?? null, { section, telling: true }),
    row('expected', 'Call of the others', x?.expected ?? null, y?.expected ?? null, {
      section,
      kind: callDifference(x?.expected, y?.expected),
    }),
    row('actual', 'Call of the odd ones', x?.actual ?? null, y?.actual ?? null, {
      section,
      kind: callDifference(x?.actual, y?.actual),
    }),
    ...frameRows(x, y),
  ];
}

/** `op`, `size` or both of `all_reduce [[85002]] Float`. */
function callDifference(a: string | undefined, b: string | undefined): string {
  const [x, y] = [(a ?? '').split(' '), (b ?? '').split(' ')];
  const parts = [x[0] === y[0] ? '' : 'op', x.slice(1).join(' ') === y.slice(1).join(' ') ? '' : 'size or type'];
  return parts.filter((part) => part !== '').join(', ');
}

/** Stacks of the odd ranks of both, outermost frame first: down to where are they the same? */
function frameRows(x: Divergence | null, y: Divergence | null): CompareRow[] {
  const section = 'call';
  const stack = (one: Divergence | null): readonly string[] | null => {
    const odd = one?.frames.find(({ ranks }) => ranks.some((rank) => one.ranks.includes(rank))) ?? one?.frames[0];
    return odd === undefined || odd.frames.length === 0 ? null : [...odd.frames].reverse();
  };
  const [s, t] = [stack(x), stack(y)];
  if (s === null || t === null)
    return [row('frame', 'First differing frame', s?.at(-1) ?? null, t?.at(-1) ?? null, { section })];
  let same = 0;
  while (same < s.length && same < t.length && s[same] === t[same]) same += 1;
  const whole = same === s.length && same === t.length;
  const at = whole ? same - 1 : same;
  const end = 'the stack ends';
  return [
    row('frame', whole ? 'Innermost frame' : 'First differing frame', s[at] ?? end, t[at] ?? end, {
      section,
      kind: same === 0 ? 'no frame shared' : `same in ${plural(same, 'outer frame')}`,
      kindEqual: 'same stack in both',
      telling: true,
    }),
  ];
}

function placeRows(a: Report, b: Report): CompareRow[] {
  const section = 'place';
  const [x, y] = [firstRow(a), firstRow(b)];
  const nodes = (report: Report): readonly string[] =>
    [...new Set(report.ranks.flatMap(({ node }) => (node === null ? [] : [node])))].sort();
  const [m, n] = [nodes(a), nodes(b)];
  const shared = m.filter((node) => n.includes(node));
  const hardware = (one: ReportRank | null): string | null =>
    one === null || one.node === null ? null : one.gpu === null ? one.node : `${one.node}, GPU ${one.gpu}`;
  return [
    row('first-node', 'Node of the first rank', x?.node ?? a.verdict.node, y?.node ?? b.verdict.node, {
      section,
      kind: 'other node',
      kindEqual: 'repeated hardware',
      telling: true,
    }),
    ...(x?.gpu == null && y?.gpu == null
      ? []
      : [
          row('first-gpu', 'GPU of the first rank', hardware(x), hardware(y), {
            section,
            kind: 'other GPU',
            kindEqual: 'repeated hardware',
            telling: true,
          }),
        ]),
    row('first-local', 'Local rank of the first', numberText(x?.localRank), numberText(y?.localRank), {
      section,
      weak: true,
    }),
    {
      ...row('nodes', 'Nodes', listText(m), listText(n), {
        section,
        kind:
          shared.length === 0
            ? 'none shared'
            : `shared: ${shared.slice(0, 3).join(', ')}${shared.length > 3 ? ` and ${shared.length - 3} more` : ''}`,
        kindEqual: 'same nodes',
      }),
      // Nodes in common matter whether or not the lists are equal.
      telling: shared.length > 0,
    },
    row('world', 'Ranks', numberText(a.incident.worldSize), numberText(b.incident.worldSize), {
      section,
      kind: 'count only',
    }),
    row('attempts', 'Attempts', numberText(a.incident.attempts), numberText(b.incident.attempts), {
      section,
      kind: 'count only',
    }),
  ];
}

const numberText = (value: number | null | undefined): string | null =>
  value === null || value === undefined ? null : formatCount(value);

const listText = (names: readonly string[]): string | null =>
  names.length === 0
    ? null
    : names.length <= 4
      ? names.join(', ')
      : `${names.slice(0, 3).join(', ')} and ${names.length - 3} more`;

/** The row of the first rank, in the attempt of the verdict. */
function firstRow({ verdict, ranks }: Report): ReportRank | null {
  const own = ranks.filter(({ rank }) => rank === verdict.firstRanks[0]);
  return own.find(({ attempt }) => attempt === verdict.attempt) ?? own.at(-1) ?? null;
}

function softwareRows(a: Report, b: Report): CompareRow[] {
  const [x, y] = [new Map(Object.entries(a.incident.software)), new Map(Object.entries(b.incident.software))];
  return [...new Set([...x.keys(), ...y.keys()])]
    .sort()
    .map((name) =>
      row(`software ${name}`, name, x.get(name) ?? null, y.get(name) ?? null, { section: 'software', kind: 'version' }),
    );
}

/** What was found of each setting of the review; the same finding in other words counts as the same state. */
function settingRows(a: Report, b: Report): CompareRow[] {
  const items = (report: Report) => new Map((report.settings?.items ?? []).map((item) => [item.name, item]));
  const [x, y] = [items(a), items(b)];
  return [...new Set([...x.keys(), ...y.keys()])].sort().map((name) => {
    const [one, two] = [x.get(name), y.get(name)];
    const told = (item: typeof one): string | null =>
      item === undefined || item.state === 'unknown' ? null : item.found;
    return row(`setting ${name}`, name, told(one), told(two), {
      section: 'settings',
      kind: one?.state === two?.state ? 'value' : `${one?.state} and ${two?.state}`,
    });
  });
}

function clockRows(a: Report, b: Report): CompareRow[] {
  const section = 'clocks';
  const clocks = ({ clock }: Report): string | null => {
    const nodes = clock.domains.length;
    if (nodes === 0) return null;
    const worst = Math.max(
      ...clock.domains.map(({ offsetMs }) =>
        offsetMs === null || offsetMs.low === null || offsetMs.high === null
          ? Number.POSITIVE_INFINITY
          : (offsetMs.high - offsetMs.low) / 2,
      ),
    );
    if (nodes === 1) return 'one clock';
    return `${formatCount(nodes)}, ${Number.isFinite(worst) ? `within ${plusMinus(worst)}` : 'not all related'}`;
  };
  const faults = ({ clock }: Report): string => {
    const count = clock.faults?.length ?? 0;
    return count === 0 ? 'none found' : plural(count, 'clock fault');
  };
  return [
    row('clocks', 'Clocks', clocks(a), clocks(b), { section, weak: true }),
    row('clock-faults', 'Clocks that were set or contradict', faults(a), faults(b), { section }),
  ];
}

function evidenceRows(a: Report, b: Report): CompareRow[] {
  const section = 'evidence';
  const gaps = (report: Report): string => {
    const open = report.gaps.filter(({ state }) => state !== 'present').map(({ item }) => item);
    return open.length === 0 ? 'none' : [...new Set(open)].sort().join(', ');
  };
  const dumps = ({ incident }: Report): string =>
    incident.dumpsExpected === null
      ? formatCount(incident.dumpsPresent)
      : `${formatCount(incident.dumpsPresent)} of ${formatCount(incident.dumpsExpected)}`;
  return [
    row('dumps', 'Recorder dumps', dumps(a), dumps(b), { section, kind: 'count only', weak: true }),
    row('gaps', 'Gaps', gaps(a), gaps(b), { section }),
    row('files', 'Files', formatCount(a.bundle.files.total), formatCount(b.bundle.files.total), {
      section,
      kind: 'count only',
      weak: true,
    }),
  ];
}
