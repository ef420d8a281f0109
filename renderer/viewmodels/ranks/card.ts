/** The card of one rank: where it ran, where it stands, how it ended, and how each of that is known. */
import type { Report } from '#shared/report/schema.ts';
import { plural } from '#shared/text/format.ts';
import type { Moment, RanksIndex } from '#shared/views/ranks/types.ts';
import { escapeText } from '../escape-text.ts';
import { exitClockWords, exitText, seenWords } from '../rank-table.ts';
import { formatBound, timeOfDay } from '../times.ts';
import { DUMP_WORDS } from '../words.ts';
import { type AttemptBar, attemptBars } from './attempts.ts';
import { isNeverEnqueued, opName, standingWord } from './legend.ts';
import { standingAt } from './looks.ts';
import type { RankRow } from './rows.ts';

export interface CardField {
  readonly name: string;
  readonly value: string;
  readonly note: string;
  readonly tone: 'plain' | 'first' | 'warn';
}

export interface RankCardModel {
  readonly title: string;
  readonly fields: readonly CardField[];
  readonly attempts: readonly AttemptBar[];
  readonly conflicts: readonly string[];
  readonly basis: readonly string[];
  /** Where Calls opens: the call that decides, else the last one. */
  readonly call: { readonly group: string; readonly seq: number | null } | null;
  readonly files: readonly string[];
}

export interface CardParts {
  readonly report: Report;
  readonly index: RanksIndex;
  readonly moment: Moment | null;
  readonly row: RankRow;
  /** A moment of the basis as text. */
  readonly timeText: (at: number) => string;
  readonly basisRaw: boolean;
}

const PLACED_BY: Readonly<Record<string, string>> = {
  announced: 'its own words on start',
  'rank-prefix': 'its name before lines, [rankN]',
  'failure-summary': 'the failure summary of torchrun',
  'rendezvous-result': 'the result of the rendezvous',
  'nccl-init': 'NCCL INFO lines of its communicator',
  'dump-file': 'the name of its recorder dump',
  'torchrun-path': 'the folder that torchrun keeps its log in',
  'pod-node-rank': 'the node rank that its Pod was given',
  'pod-label': 'a label of its Pod',
  'pod-ordinal': 'the number at the end of the name of its Pod',
  'file-name': 'the name of its log',
  'launcher-prefix': 'the prefix that the launcher puts before its lines',
  'work-prefix': '[Rank N] in lines of the watchdog',
};

/** A word of another version stays as it is. */
const placedBy = (basis: string): string => PLACED_BY[basis] ?? escapeText(basis);

const field = (name: string, value: string | null, note = '', tone: CardField['tone'] = 'plain'): CardField[] =>
  value === null || value === '' ? [] : [{ name, value: escapeText(value), note, tone }];

export function rankCard(parts: CardParts): RankCardModel {
  const { report, index, row } = parts;
  const known = row.row;
  if (known === null)
    return {
      title: 'not in the bundle',
      fields: field('Known', 'The job is this large; no file of the bundle speaks of this rank.'),
      ...{ attempts: [], conflicts: [], basis: [], call: null, files: [] },
    };
  const groups = report.collectives.groups.filter((group) => group.ranks.includes(row.rank));
  const axes = index.axes.flatMap((axis, i) => {
    const at = row.coordinates[i] ?? -1;
    return at < 0 ? [] : [`${axis.kind} ${at} of ${axis.size}`];
  });
  return {
    title: escapeText(
      [known.node ?? known.pod ?? 'place not known', known.gpu === null ? null : `GPU ${known.gpu}`]
        .filter((part) => part !== null)
        .join(', '),
    ),
    fields: [
      ...field(
        'Pod',
        [known.pod, known.localRank === null ? null : `local rank ${known.localRank}`]
          .filter((part) => part !== null)
          .join(', '),
      ),
      ...field('Place', axes.join(', ')),
      ...field(
        groups.length === 1 ? 'Group' : 'Groups',
        groups
          .map((group) => group.desc || group.group)
          .slice(0, 6)
          .join(', ') + (groups.length > 6 ? `, ${groups.length - 6} more` : ''),
      ),
      ...momentFields(parts),
      ...field(
        'End',
        known.exit === null ? 'not told' : exitText(known.exit),
        known.exit?.at == null ? '' : `${timeOfDay(known.exit.at)} ${exitClockWords(known.exit)}`,
        'plain',
      ),
      ...field(
        'Last line',
        known.lastSeen === null ? 'none' : timeOfDay(known.lastSeen),
        known.lastSeen === null ? '' : escapeText(seenWords(known)),
      ),
      ...evidenceFields(parts),
    ],
    attempts: attemptBars(report, index, row.rank, known.attempt),
    conflicts: row.conflicts.slice(0, 6).map(escapeText),
    basis: known.basis.slice(0, 6).map(placedBy),
    call: callOf(parts),
    files: known.files,
  };
}

function momentFields({ index, moment, row, timeText, basisRaw }: CardParts): CardField[] {
  if (moment === null || row.at < 0 || index.time === null) return [];
  const standing = standingAt(moment, row.at);
  const since = moment.sinceNs[row.at] ?? Number.NaN;
  const group = index.time.groups[moment.group[row.at] ?? -1];
  const op = moment.texts[moment.op[row.at] ?? -1] ?? '';
  const seq = moment.seq[row.at] ?? -1;
  const never = isNeverEnqueued(op);
  const bound = moment.boundNs[row.at] ?? Number.NaN;
  const note = basisRaw ? 'raw' : Number.isNaN(bound) ? 'bound unknown' : bound === 0 ? '' : formatBound(bound / 1e6);
  return [
    ...field('At cursor', standingWord(standing), '', standing === 'first' ? 'first' : 'plain'),
    ...(Number.isNaN(since) ? [] : field(standing === 'silent' ? 'Silent since' : 'Since', timeText(since), note)),
    ...field(
      never ? 'Missed' : standing === 'waiting' || standing === 'in-call' ? 'Call' : 'Last call',
      [group?.desc || group?.name || '', opName(op), seq < 0 ? '' : `#${seq}`].filter((part) => part !== '').join(' '),
      never ? 'never enqueued' : '',
      never ? 'first' : 'plain',
    ),
  ];
}

function evidenceFields({ index, row }: CardParts): CardField[] {
  const known = row.row;
  if (known === null) return [];
  const time = index.time;
  const errors = time?.errors[row.at];
  const log = time?.log[row.at];
  const covered = time?.covered[row.at] ?? Number.NaN;
  return [
    ...(errors === undefined ? [] : field('Errors', errors === 0 ? 'none' : plural(errors, 'line'))),
    ...field(
      'Dump',
      DUMP_WORDS[known.dump],
      Number.isNaN(covered) ? '' : `${Math.round(covered * 100)} % of the recorded time`,
      known.dump === 'present' ? 'plain' : 'warn',
    ),
    ...(log === undefined
      ? []
      : field(
          'Log',
          log === 2 ? 'a file of its own' : log === 1 ? 'mixed with other ranks' : 'no line of its own',
          '',
          log === 0 ? 'warn' : 'plain',
        )),
    ...(known.clockOffsetMs === null
      ? known.clock === null
        ? []
        : field('Clock', known.clock, 'offset unknown')
      : field(
          'Clock',
          known.clock,
          known.clockOffsetMs.low === null || known.clockOffsetMs.high === null
            ? 'bound unknown'
            : clockWords((known.clockOffsetMs.high - known.clockOffsetMs.low) / 2),
        )),
  ];
}

/** A bound of nothing: all others are moved onto this clock. */
const clockWords = (boundMs: number): string => (boundMs === 0 ? 'reference clock' : formatBound(boundMs));

function callOf({ index, moment, row, report }: CardParts): RankCardModel['call'] {
  const group = index.time?.groups[moment?.group[row.at] ?? -1];
  const seq = moment?.seq[row.at] ?? -1;
  if (group !== undefined) return { group: group.id, seq: seq < 0 ? null : seq };
  const own = report.collectives.groups.find((one) => one.ranks.includes(row.rank));
  return own === undefined ? null : { group: own.group, seq: null };
}
