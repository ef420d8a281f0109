/**
 * The reply to the sender of a bundle as plain text, 78 columns where words allow. Made of the report, so that window and terminal
 * write the same. Names of the bundle appear in it: control characters are taken out, nothing else is changed.
 */

import { GAP_STATE_WORD } from '../../text/entry-text.ts';
import { plural } from '../../text/format.ts';
import { filesText } from '../../text/partial-text.ts';
import { STATUS_WORD } from '../../text/verdict-text.ts';
import { printable } from '../render-markdown.ts';
import type { Report, ReportGap } from '../schema.ts';
import { fittingForm, openSettings } from '../settings-text.ts';
import { wrap } from './wrap.ts';

/** Most settings told one by one: the patch holds all of them. */
const MOST_SETTINGS = 8;
/** Most files told one by one. */
const MOST_FILES = 6;

export interface ReplyOptions {
  /** Leave out what is said of the failure: to ask only. Default: it is told. */
  readonly withoutVerdict?: boolean;
}

/** Ends with a line break. */
export function replyToSender(report: Report, options: ReplyOptions = {}): string {
  const missing = report.gaps.filter((gap) => gap.state !== 'present');
  const parts = [
    received(report),
    options.withoutVerdict === true ? '' : soFar(report),
    asked(missing),
    nextRun(report),
    care(missing),
  ].filter((part) => part !== '');
  return `${parts.join('\n\n')}\n`;
}

function received({ bundle, incident, issues, gaps, ranks: seen }: Report): string {
  const { files } = bundle;
  const read = files.read + files.warned;
  const heard = new Set(seen.filter((rank) => rank.files.length > 0).map((rank) => rank.rank)).size;
  const ranks =
    incident.worldSize === null
      ? `Lines or dumps of ${plural(heard, 'rank')} are in it; how many the job had is not told.`
      : `Lines or dumps of ${heard} of ${plural(incident.worldSize, 'rank')} are in it.`;
  const dumps =
    incident.dumpsPresent === 0
      ? gaps.some((gap) => gap.item === 'Flight Recorder dumps' && gap.state === 'absent')
        ? 'The Flight Recorder dumps in it hold no call.'
        : 'No Flight Recorder dump is in it.'
      : `It holds ${incident.dumpsPresent}${incident.dumpsExpected === null ? '' : ` of ${incident.dumpsExpected}`} Flight Recorder dumps.`;
  // What was not reached was not unreadable.
  const readable =
    bundle.stopped === undefined
      ? `${read} of ${plural(files.total, 'file')} could be read.`
      : `This rests on ${filesText(bundle)}: reading was ended early.`;
  const attempts = incident.attempts > 1 ? ` It shows ${incident.attempts} attempts.` : '';
  const bad = issues.filter((issue) => issue.severity !== 'info' && issue.file !== null);
  const named = [...new Set(bad.map((issue) => `${issue.file}: ${issue.text}`))];
  return [
    wrap(
      `Thank you for ${clean(bundle.name)} (SHA-256 ${bundle.sha256.slice(0, 16)}…). ${readable} ${ranks} ${dumps}${attempts}`,
    ),
    ...(named.length === 0
      ? []
      : [
          '',
          'Not, or not wholly, readable:',
          ...named.slice(0, MOST_FILES).map((text) => wrap(clean(text), '- ')),
          ...(named.length > MOST_FILES ? [`- and ${named.length - MOST_FILES} more`] : []),
        ]),
  ].join('\n');
}

function soFar({ verdict }: Report): string {
  if (verdict.outcome === 'cannot-tell')
    return wrap(`What began the failure cannot be told from this bundle. ${clean(verdict.summary)}`);
  return wrap(
    `So far (${STATUS_WORD[verdict.status].toLowerCase()}): ${clean(verdict.summary)}${verdict.status === 'established' ? '' : ' What follows could confirm or overturn it.'}`,
  );
}

function asked(missing: readonly ReportGap[]): string {
  if (missing.length === 0) return 'Nothing is missing.';
  const items = missing.flatMap((gap, index) => [
    '',
    wrap(
      `${clean(gap.item)} (${GAP_STATE_WORD[gap.state]}${gap.where === '' ? '' : `: ${clean(gap.where)}`})`,
      `${index + 1}. `,
    ),
    ...(gap.matters === '' ? [] : [wrap(`Why: ${clean(gap.matters)}`, '   ')]),
    ...(gap.collect === '' ? [] : how(gap)),
  ]);
  return ['Please send what you can of this, the most telling first:', ...items].join('\n');
}

const COMMAND = /^(?:kubectl|for |dmesg|nvidia-smi|py-spy|journalctl|sacct|chronyc|tar )/;

/** A command stands on a line of its own, unbroken, so that it can be copied. */
function how({ collect }: ReportGap): string[] {
  const text = clean(collect);
  return COMMAND.test(text) ? ['   How:', `     ${text}`] : [wrap(`How: ${text}`, '   ')];
}

function nextRun({ settings }: Report): string {
  if (settings === undefined) return '';
  const open = openSettings(settings).filter((item) => item.state !== 'note' && item.want !== null);
  const form = fittingForm(settings);
  if (form === undefined && open.length === 0) return '';
  const intro =
    settings.pods === 0
      ? 'Which diagnostics were on is not known (no Pod specification came with it). For the next run, please set:'
      : open.length > 0
        ? `For the next run, so that it can be decided (by ${plural(settings.pods, 'Pod specification')}):`
        : 'For the next run, please set:';
  const told =
    settings.pods === 0
      ? []
      : open
          .slice(0, MOST_SETTINGS)
          .map((item) => wrap(`${clean(item.name)}: ${clean(item.found)}. ${item.why}`, '- '));
  const patch =
    form === undefined
      ? []
      : [
          '',
          `${form.title}:`,
          '',
          ...form.text
            .trimEnd()
            .split('\n')
            .map((line) => `    ${clean(line, false)}`.trimEnd()),
        ];
  const notes = form === undefined ? [] : ['', ...(settings.patch?.notes ?? []).map((note) => wrap(note, '- '))];
  return [wrap(intro), ...told, ...patch, ...notes].join('\n');
}

function care(missing: readonly ReportGap[]): string {
  return missing.length === 0
    ? ''
    : wrap(
        'Events expire after an hour, previous logs with the next restart, and dumps with their Pod: these first. Nothing secret is needed; values of passwords and tokens may be masked, names of variables should stay.',
      );
}

/** One line, without control characters. */
const clean = (text: string, trim = true): string =>
  trim ? printable(text).replace(/\s+/g, ' ').trim() : printable(text);
