/**
 * Measures what the clock alignment reaches on simulated jobs, beside the limits that it is held to.
 *
 *   node build/scripts/clock-table.ts [scenarios for each line, 200] [part of a line's name]
 *
 * Takes minutes; the suite holds a small fixed part of it. Ends with status 1 if a limit is missed.
 */
import {
  holds,
  LINES,
  type Measure,
  measureLastToEnter,
  measureLine,
  measureShifts,
  measureSteps,
} from '../../test/support/clock-simulator/acceptance.ts';

const count = Number(process.argv[2] ?? 200);
const part = process.argv[3] ?? '';
let missed = 0;

function print(measures: readonly Measure[]): void {
  for (const measure of measures) {
    if (!measure.line.includes(part)) continue;
    const limit = measure.atMost === undefined ? `≥ ${measure.atLeast}` : `≤ ${measure.atMost}`;
    if (!holds(measure)) missed += 1;
    const cells = [
      measure.line,
      measure.what,
      Number(measure.value.toPrecision(4)),
      limit,
      holds(measure) ? 'holds' : 'MISSED',
      measure.of,
    ];
    console.log(`| ${cells.join(' | ')} |`);
  }
}

console.log('| line | measured | value | limit | | of |\n| --- | --- | --- | --- | --- | --- |');
for (const line of LINES) if (line.name.includes(part)) print(measureLine(line, count));
if ('last to enter'.includes(part) || part.includes('last')) print(measureLastToEnter(count));
if ('clock step'.includes(part) || part.includes('step')) print(measureSteps(count));
if ('numbering'.includes(part) || part.includes('numbering')) print(measureShifts(count));
console.log(missed === 0 ? 'All limits hold.' : `${missed} limits missed.`);
process.exitCode = missed === 0 ? 0 : 1;
