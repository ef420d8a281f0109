/** Gaps, settings, what the analyst starred and wrote, issues of reading, manifest. */
import { GAP_STATE_WORD } from '../../text/entry-text.ts';
import { formatBytes, plural } from '../../text/format.ts';
import { SETTING_STATE_WORD } from '../../text/setting-text.ts';
import type { Report } from '../schema.ts';
import { fittingForm, openSettings } from '../settings-text.ts';
import {
  type Block,
  type DocumentInput,
  type ManifestFile,
  type ReportNote,
  SECTION_TITLE,
  type Section,
} from './types.ts';
import { plainItem, shownTime } from './words.ts';

const MAX_ISSUES = 500;

export const sourceSections = ({ report, notes, files }: DocumentInput): readonly Section[] => [
  gaps(report),
  settings(report),
  starred(notes.filter(({ dissent = null }) => dissent === null)),
  issues(report),
  manifest(report, files),
];

function gaps({ gaps: all }: Report): Section {
  const missing = all.filter(({ state }) => state !== 'present');
  return {
    id: 'gaps',
    title: SECTION_TITLE.gaps,
    count: String(missing.length),
    blocks:
      missing.length === 0
        ? [{ kind: 'text', text: 'Nothing that a complete bundle would hold is missing.' }]
        : [
            {
              kind: 'table',
              head: ['item', 'state', 'why it matters', 'how to get it'],
              rows: missing.map((gap) => [
                gap.item,
                [GAP_STATE_WORD[gap.state], gap.where].filter(Boolean).join(': '),
                gap.matters,
                gap.collect,
              ]),
              mono: [],
            },
          ],
  };
}

function settings({ settings: review }: Report): Section {
  const blocks: Block[] = [];
  if (review !== undefined) {
    const open = openSettings(review);
    if (open.length > 0)
      blocks.push({
        kind: 'table',
        head: ['setting', 'state', 'found', 'should be', 'why'],
        rows: open.map((item) => [item.name, SETTING_STATE_WORD[item.state], item.found, item.want ?? '', item.why]),
        mono: [],
      });
    const form = fittingForm(review);
    if (form !== undefined)
      blocks.push({ kind: 'code', title: `To set before the next run: ${form.title}`, text: form.text.trimEnd() });
    const notes = review.patch?.notes ?? [];
    if (form !== undefined && notes.length > 0)
      blocks.push({ kind: 'list', ordered: false, items: notes.map(plainItem) });
  }
  return {
    id: 'settings',
    title: SECTION_TITLE.settings,
    count: review === undefined ? '' : plural(openSettings(review).length, 'setting'),
    blocks,
  };
}

function starred(notes: readonly ReportNote[]): Section {
  return {
    id: 'starred',
    title: SECTION_TITLE.starred,
    count: notes.length === 0 ? '' : String(notes.length),
    blocks: notes.flatMap((note): Block[] => [
      { kind: 'heading', text: `${note.starred ? '★ ' : ''}${note.about}` },
      ...(note.excerpt === null ? [] : [{ kind: 'code' as const, title: '', text: note.excerpt }]),
      ...(note.text === ''
        ? []
        : [{ kind: 'text' as const, text: `${note.text} (written ${shownTime(note.written)})` }]),
    ]),
  };
}

function issues({ issues: all }: Report): Section {
  const shown = all.filter(({ severity }) => severity !== 'info');
  const blocks: Block[] = [];
  if (shown.length > 0)
    blocks.push({
      kind: 'table',
      head: ['file', 'where', 'severity', 'count', 'what'],
      rows: shown
        .slice(0, MAX_ISSUES)
        .map((issue) => [issue.file ?? '', issue.where ?? '', issue.severity, String(issue.count), issue.text]),
      mono: [0, 1, 3],
    });
  if (shown.length > MAX_ISSUES)
    blocks.push({ kind: 'text', text: `${plural(shown.length - MAX_ISSUES, 'more issue')} in the JSON form.` });
  return { id: 'issues', title: SECTION_TITLE.issues, count: shown.length === 0 ? '' : String(shown.length), blocks };
}

function manifest({ bundle }: Report, files: readonly ManifestFile[]): Section {
  return {
    id: 'manifest',
    title: SECTION_TITLE.manifest,
    count: plural(files.length, 'file'),
    blocks: [
      {
        kind: 'facts',
        rows: [
          ['Bundle', `${bundle.name}, ${formatBytes(bundle.bytes)}`],
          ['SHA-256', bundle.sha256],
        ],
      },
      {
        kind: 'table',
        head: ['file', 'size', 'status', 'SHA-256'],
        rows: files.map((file) => [file.path, formatBytes(file.bytes), file.status, file.sha256 ?? 'not read']),
        mono: [0, 1, 3],
      },
    ],
  };
}
