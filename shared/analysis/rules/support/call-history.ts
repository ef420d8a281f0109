/** Where in the program a recorded call stands, and what came before and after its like: enough to say how two sequences drifted apart. */
import type { CallView } from '../../../model/facts.ts';
import type { Cause } from '../../../model/finding.ts';
import type { FlightRecorderDump } from '../../../model/flight-recorder.ts';

/** Innermost frames that make a call site: deep enough to reach the program's own code below the library's. Chosen, not measured. */
const SITE_FRAMES = 24;

interface History {
  readonly dump: FlightRecorderDump;
  readonly row: number;
}

function historyOf(call: CallView, dumps: readonly FlightRecorderDump[]): History | undefined {
  const { source } = call;
  if (source.kind !== 'record') return undefined;
  const dump = dumps.find((candidate) => candidate.source.entry === source.entry);
  return dump === undefined || source.record >= dump.columns.length ? undefined : { dump, row: source.record };
}

const isBarrier = (op: string): boolean => /barrier/.test(op);

/** Operation, shapes and code place of one row, as text. */
function siteOf(dump: FlightRecorderDump, row: number): string {
  const { columns, strings, shapes, stacks, frames } = dump;
  const stack = stacks[columns.stack[row] ?? -1];
  const place =
    stack === undefined
      ? ''
      : [...stack.slice(0, SITE_FRAMES)]
          .map((index) => {
            const frame = frames[index];
            return frame === undefined ? '' : `${frame.name}@${frame.file}:${frame.line}`;
          })
          .join('<');
  return `${strings[columns.op[row] ?? -1] ?? ''} ${shapes[columns.inputSizes[row] ?? -1] ?? ''} ${place}`;
}

/**
 * How a deviating operation came about, by the program order that the deviant's own dump shows before it:
 * - what the others do here was always followed by what the deviant does here → it left that operation out;
 * - the deviant's call was always followed by what the others do here → it issued one more;
 * - the deviant stands in a barrier at a place in the program where it never was before, the others at one that recurs → it is past
 *   its loop (any other operation at a new place may as well be a branch);
 * - else only the types differ.
 */
export function causeOfUnlikeCalls(deviant: CallView, usual: CallView, dumps: readonly FlightRecorderDump[]): Cause {
  const own = historyOf(deviant, dumps);
  const other = historyOf(usual, dumps);
  if (own === undefined || other === undefined) return 'collective-type';
  const actual = siteOf(own.dump, own.row);
  const expected = siteOf(other.dump, other.row);
  const group = own.dump.columns.groupName[own.row];
  let seenActual = false;
  let seenExpected = false;
  let previous = '';
  let skipped = 0;
  let extra = 0;
  for (let row = 0; row < own.row; row++) {
    if (own.dump.columns.groupName[row] !== group) continue;
    const site = siteOf(own.dump, row);
    if (previous === expected && site === actual) skipped++;
    if (previous === actual && site === expected) extra++;
    seenActual ||= site === actual;
    seenExpected ||= site === expected;
    previous = site;
  }
  if (previous === '' || actual === expected) return 'collective-type';
  if (!seenActual && seenExpected && isBarrier(deviant.op)) return 'uneven-inputs';
  if (skipped > 0 && skipped >= extra) return 'collective-skipped';
  return extra > 0 ? 'collective-order' : 'collective-type';
}
