/**
 * What was done with a bundle on this machine, as lines of the case's custody log: imports, analyses anew, clock settings. Exports tell
 * theirs themselves. Texts of the bundle stand in them as they are; who shows them escapes them.
 */
import { statSync } from 'node:fs';
import type { Report } from '#shared/report/schema.ts';
import type { ClockSetting } from '#shared/rpc/areas/clocks.ts';
import { formatBytes, nameRanks, plural } from '#shared/text/format.ts';
import { filesText } from '#shared/text/partial-text.ts';
import { OUTCOME_WORD, STATUS_WORD } from '#shared/text/verdict-text.ts';
import { addCustody, type CustodyRow } from './store/export-log.ts';

type Deed = Pick<CustodyRow, 'action' | 'inputs' | 'result'>;

/** Of one text; a bundle may be opened by a thousand paths. */
const MAX_TEXT = 10_000;

export interface CustodyWriter {
  readonly version: string;
  readonly log: (line: string) => void;
}

/** Adds a line with the time of this machine. A log that cannot be written is told to the program's log: the deed itself was done. */
export function keepCustody(notesDb: string, deed: Deed, { version, log }: CustodyWriter): void {
  try {
    const { action, inputs, result } = deed;
    const at = new Date().toISOString();
    addCustody(notesDb, { at, version, action, inputs: inputs.slice(0, MAX_TEXT), result: result.slice(0, MAX_TEXT) });
  } catch (error) {
    log(`custody log: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** `paths`: what was opened, absolute. `isTakenUp`: it went on with what an interrupted import had read. */
export function importDeed(report: Report, paths: readonly string[], isTakenUp: boolean): Deed {
  const { bundle } = report;
  const bad = (['refused', 'failed', 'truncated', 'empty'] as const)
    .filter((status) => bundle.files[status] > 0)
    .map((status) => `${bundle.files[status]} ${status}`);
  const result = [
    `${filesText(bundle)} taken`,
    ...bad,
    ...(bundle.stopped === undefined ? [] : ['ended early']),
    ...(isTakenUp ? ['taken up after an interruption'] : []),
    verdictText(report),
  ];
  const list = bundle.stopped === undefined ? 'its files' : 'the files that were read';
  const isWhole = isOneFile(paths) && bundle.stopped === undefined;
  const of = isWhole ? 'SHA-256' : `SHA-256 of the list of ${list} and their hashes`;
  return {
    action: 'import',
    inputs: `${bundle.name}, ${formatBytes(bundle.bytes)}, ${of} ${bundle.sha256}`,
    result: result.join(', '),
  };
}

/** A case that came as a package; what was done with it before stands in the log that it brought. */
export function adoptionDeed(fileName: string, report: Report): Deed {
  const { bundle, tool } = report;
  return {
    action: 'open package',
    inputs: `${fileName}, of ${bundle.name}, SHA-256 ${bundle.sha256}`,
    result: `${filesText(bundle)}, analysed by ${tool.name} ${tool.version}, ${verdictText(report)}`,
  };
}

/** `before`: version that made the report until now; undefined if nobody knows. */
export function analysisDeed(report: Report, before: string | undefined, settings: number): Deed {
  const from = before === undefined || before === '' ? '' : `result of version ${before}, `;
  return {
    action: 'analyse again',
    inputs: `${from}${settings === 0 ? 'no clock settings' : plural(settings, 'clock setting')}`,
    result: verdictText(report),
  };
}

export function clocksDeed(report: Report, settings: readonly ClockSetting[]): Deed {
  return {
    action: 'set clocks',
    inputs: settings.length === 0 ? 'all settings taken back' : settings.map(settingText).join('; '),
    result: verdictText(report),
  };
}

const settingText = ({ clock, against, offsetMs, boundMs, reason }: ClockSetting): string =>
  `${clock} is ${offsetMs < 0 ? '−' : '+'}${Math.abs(offsetMs)} ms ± ${boundMs} ms against ${against} (${reason})`;

function verdictText({ verdict }: Report): string {
  const { status, outcome, firstRanks } = verdict;
  return `${STATUS_WORD[status]}: ${OUTCOME_WORD[outcome]}${firstRanks.length === 0 ? '' : `; ${nameRanks(firstRanks)}`}`;
}

/** An import that ended tells the truth even if its input is gone by now. */
function isOneFile(paths: readonly string[]): boolean {
  const [path, ...others] = paths;
  try {
    return path !== undefined && others.length === 0 && statSync(path).isFile();
  } catch {
    return false;
  }
}
