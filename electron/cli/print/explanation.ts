/** `--explain`: how the recorder dumps were compared, group by group. Retells the report's explanation; nothing is concluded here. */
import type { Report, ReportExplanation } from '#shared/report/schema.ts';
import { plural } from '#shared/text/format.ts';
import type { PrintContext } from './print-context.ts';
import { hangText } from './text-layout.ts';
import { visibleText } from './visible-text.ts';

type Group = ReportExplanation['groups'][number];

/** Ends with a line break. */
export function printExplanation(report: Report, context: PrintContext): string {
  const { explanation } = report.collectives;
  const lines =
    explanation === undefined
      ? ['This report was made without an explanation.']
      : [
          ...dumpLines(explanation, context),
          ...explanation.groups.flatMap((group) => groupLines(group, context)),
          ...(explanation.moreGroups === 0
            ? []
            : ['', `and ${plural(explanation.moreGroups, 'more group')}; those that differ or wait came first`]),
          ...waitLines(explanation, context),
          ...rootLines(explanation, context),
        ];
  return `${context.paint(['bold'], 'How the collectives were compared')}\n${lines.join('\n')}\n`;
}

const item = (first: string, text: string, { width }: PrintContext): string[] =>
  hangText(first, visibleText(text), width);

function dumpLines(explanation: ReportExplanation, context: PrintContext): string[] {
  const { dumpsPresent, dumpsExpected, onlyActive } = explanation;
  const present = dumpsPresent === '' ? 'none' : `ranks ${dumpsPresent}`;
  const expected = dumpsExpected === null ? 'the size of the job is not known' : `${dumpsExpected} expected`;
  return [
    ...item('  dumps    ', `${present}; ${expected}`, context),
    ...(onlyActive
      ? item('           ', 'they hold unfinished calls only; their counters tell the rest', context)
      : []),
  ];
}

/** One line for a group in which all members stand alike and nobody is behind, else a block. */
function groupLines(group: Group, context: PrintContext): string[] {
  const name = group.desc === '' || group.desc === group.group ? group.group : `${group.group} (${group.desc})`;
  const backend = group.backend === null ? '' : `, ${group.backend}`;
  const notes = [
    group.membersKnown ? '' : 'members known only by their entries',
    group.withoutDump === '' ? '' : `no dump: ${group.withoutDump}`,
    group.p2p ? 'counters include transfers' : '',
  ].filter((note) => note !== '');
  const windowText =
    group.window === null ? 'the rings have no call in common' : `#${group.window.from} to #${group.window.to}`;
  const places = group.places.map((place) => placeText(place));
  if (group.behind.length === 0 && group.places.length <= 1 && notes.length === 0)
    return item('  ', `group ${name}${backend}: ${group.matchState ?? ''}; ${places[0] ?? group.ranks}`, context);
  const state = group.matchState ?? 'no such word (a member is missing from the call, or the order differs)';
  return [
    '',
    context.paint(
      ['bold'],
      visibleText(`  group ${name}${backend}: ${plural(group.size, 'member')}, ${plural(group.dumps, 'dump')}`),
    ),
    ...item('    ranks  ', group.ranks, context),
    ...notes.flatMap((note) => item('           ', note, context)),
    ...item('    window ', windowText, context),
    ...places.flatMap((text) => item('    place  ', text, context)),
    ...(group.moreMembers === 0 ? [] : [`           and ${plural(group.moreMembers, 'member')} at other places`]),
    ...item('    match  ', `${state}${group.matchSeq === null ? '' : ` at #${group.matchSeq}`}`, context),
    ...group.behind.flatMap(({ ranks, rule }) => item('    behind ', `${ranks}: ${rule}`, context)),
  ];
}

const BASIS_WORD: Readonly<Record<Group['places'][number]['basis'], string>> = {
  'dump-status': 'counters and entries',
  'dump-entries': 'entries',
  log: 'log lines',
};

function placeText(place: Group['places'][number]): string {
  const number = (seq: number | null): string => (seq === null ? 'not known' : seq < 0 ? 'none' : `#${seq}`);
  const held = place.held === null ? 'holds no entry' : `holds #${place.held.from} to #${place.held.to}`;
  const waits = place.waitsIn === null ? 'nothing open' : `open: ${place.waitsIn}`;
  const counters = `enqueued ${number(place.lastEnqueued)}, completed ${number(place.lastCompleted)}`;
  const count = place.count > 3 ? ` (${place.count})` : '';
  return `${place.ranks}${count}: ${counters}, ${held}, ${waits}; by ${BASIS_WORD[place.basis]}`;
}

function waitLines({ waits, moreWaits }: ReportExplanation, context: PrintContext): string[] {
  if (waits.length === 0) return [];
  return [
    '',
    context.paint(['bold'], '  who waits for whom'),
    ...waits.flatMap((wait) =>
      item('    ', `${wait.ranks} in #${wait.seq} of group ${wait.group}, for ${wait.for}`, context),
    ),
    ...(moreWaits === 0 ? [] : [`    and ${moreWaits} more`]),
  ];
}

function rootLines({ roots, moreRoots, cycle, conclusion }: ReportExplanation, context: PrintContext): string[] {
  return [
    '',
    context.paint(['bold'], '  where the waiting leads'),
    ...roots.flatMap(({ ranks, rule, why, hasDump }) => [
      ...item('    ', `${ranks}: ${rule}${hasDump ? '' : ' (no dump)'}`, context),
      ...item('      ', why, context),
    ]),
    ...(moreRoots === 0 ? [] : [`    and ${moreRoots} more`]),
    ...(cycle === '' ? [] : item('    ', `a ring of waits: ${cycle}`, context)),
    ...item('    ', conclusion, context),
  ];
}
