/** Verdict, evidence, figure, alternatives. */
import { formatRanks } from '../../lib/rank-set.ts';
import { plural } from '../../text/format.ts';
import { bracketWords, whenLine } from '../../text/moment-text.ts';
import { CAUSE_WORD, OUTCOME_WORD, STAGE_WORD, STATUS_MEANING, STATUS_WORD } from '../../text/verdict-text.ts';
import {
  type Block,
  type DocumentInput,
  type ListItem,
  type ReportNote,
  SECTION_TITLE,
  type Section,
} from './types.ts';
import { evidenceItem, placeWords, plainItem, shownTime } from './words.ts';

export function verdictSections({ report, notes, figure }: DocumentInput): readonly Section[] {
  return [
    verdict(report, notes),
    evidence(report),
    {
      id: 'timeline',
      title: SECTION_TITLE.timeline,
      count: figure === null ? '' : 'figure',
      blocks: figure === null ? [] : [{ kind: 'figure', figure }],
    },
    alternatives(report),
  ];
}

type Report = DocumentInput['report'];

function verdict({ verdict: v, incident }: Report, notes: readonly ReportNote[]): Section {
  const rows: (readonly [string, string])[] = [];
  if (v.between) {
    const { after, before, late } = bracketWords(v.between, shownTime);
    rows.push(['Stalled after', after], ['and before', `${before}; ${late}`]);
  } else if (v.at !== null) rows.push(['When', whenLine(v, shownTime)]);
  const where = [v.pod === null ? '' : `Pod ${v.pod}`, v.node === null ? '' : `node ${v.node}`].filter(Boolean);
  if (where.length > 0) rows.push(['Where', where.join(', ')]);
  rows.push(['Outcome', OUTCOME_WORD[v.outcome]]);
  if (v.stage !== 'unknown') rows.push(['Stage and cause', `${STAGE_WORD[v.stage]}; ${CAUSE_WORD[v.cause]}`]);
  if (v.symptomRanks.length > 0) rows.push(['Consequence on', `ranks ${formatRanks(v.symptomRanks)}`]);
  if (incident.start !== null && incident.end !== null)
    rows.push(['Covered', `${shownTime(incident.start)} to ${shownTime(incident.end)}`]);
  rows.push([
    'Size',
    `${incident.worldSize === null ? 'size of the job unknown' : plural(incident.worldSize, 'rank')}, ${incident.ranksSeen} seen; ${plural(incident.dumpsPresent, 'recorder dump')}${incident.dumpsExpected === null ? '' : ` of ${incident.dumpsExpected}`}${incident.attempts > 1 ? `; ${incident.attempts} attempts` : ''}`,
  ]);
  const software = Object.entries(incident.software).map(([name, value]) => `${name} ${value}`);
  if (software.length > 0) rows.push(['Software', software.join(', ')]);
  const ranks =
    v.firstRanks.length === 0 ? '' : `${v.firstRanks.length === 1 ? 'Rank' : 'Ranks'} ${formatRanks(v.firstRanks)}`;
  return {
    id: 'verdict',
    title: SECTION_TITLE.verdict,
    count: STATUS_WORD[v.status].toLowerCase(),
    blocks: [
      {
        kind: 'statement',
        status: v.status,
        outcome: v.outcome,
        ranks,
        text: withoutRanks(v.summary, ranks),
        meaning: STATUS_MEANING[v.status],
      },
      ...dissents(v.summary, notes),
      { kind: 'facts', rows },
    ],
  };
}

/** What the analyst holds instead, beside what was computed: neither takes the other's place. */
function dissents(summary: string, notes: readonly ReportNote[]): readonly Block[] {
  return notes.flatMap(({ dissent = null, about, text, written }): Block[] =>
    dissent === null
      ? []
      : [
          {
            kind: 'heading',
            text: `The analyst disagrees${about === summary ? '' : ' with an earlier verdict'}: ${STATUS_WORD[dissent].toLowerCase()}`,
          },
          {
            kind: 'text',
            text: `${about === summary ? '' : `That verdict was: ${about} `}${text} (written ${shownTime(written)})`,
          },
        ],
  );
}

/** The chip says the ranks: a sentence that begins with them goes on from there. */
const withoutRanks = (summary: string, ranks: string): string =>
  ranks !== '' && summary.startsWith(`${ranks} `) ? summary.slice(ranks.length + 1) : summary;

function evidence({ verdict: v }: Report): Section {
  const parts: [string, boolean, readonly ListItem[]][] = [
    ['Because', true, v.because.map(evidenceItem)],
    ['Against, or not explained', true, v.against.map(evidenceItem)],
    ['Would change the verdict', false, v.wouldChange.map(plainItem)],
    ['Next checks, most telling first', true, v.nextChecks.map(plainItem)],
  ];
  const count = v.because.length + v.against.length;
  return {
    id: 'evidence',
    title: SECTION_TITLE.evidence,
    count: plural(count, 'item'),
    blocks: parts.flatMap(([title, ordered, items]): Block[] =>
      items.length === 0
        ? title.startsWith('Against')
          ? [
              { kind: 'heading', text: title },
              { kind: 'text', text: 'Nothing in the bundle speaks against it.' },
            ]
          : []
        : [
            { kind: 'heading', text: title },
            { kind: 'list', ordered, items },
          ],
    ),
  };
}

function alternatives({ verdict: v, findings }: Report): Section {
  const others = findings.slice(1);
  const ruledOut = others.filter(({ status }) => status === 'ruled-out');
  const open = others.filter(({ status }) => status !== 'ruled-out');
  const item = (finding: Report['findings'][number]): ListItem => {
    const reason = finding.status === 'ruled-out' ? (finding.against[0] ?? finding.because[0]) : finding.because[0];
    return {
      // The heading says it of those that are ruled out.
      text: `${finding.status === 'ruled-out' ? '' : `${STATUS_WORD[finding.status]}: `}${finding.summary}${reason === undefined || reason.text === finding.summary ? '' : ` ${reason.text}`}`,
      time: null,
      place: reason === undefined ? null : placeWords(reason),
    };
  };
  const leads = v.candidates.map(({ ranks, why }) =>
    plainItem(`${ranks.length === 0 ? '' : `${ranks.length === 1 ? 'rank' : 'ranks'} ${formatRanks(ranks)}: `}${why}`),
  );
  const parts: [string, readonly ListItem[]][] = [
    ['Leads that could not be separated', leads],
    ['Ruled out', ruledOut.map(item)],
    ['Other findings', open.map(item)],
  ];
  return {
    id: 'alternatives',
    title: SECTION_TITLE.alternatives,
    count: leads.length + others.length === 0 ? '' : plural(leads.length + others.length, 'item'),
    blocks: parts.flatMap(([title, items]): Block[] =>
      items.length === 0
        ? []
        : [
            { kind: 'heading', text: title },
            { kind: 'list', ordered: false, items },
          ],
    ),
  };
}
