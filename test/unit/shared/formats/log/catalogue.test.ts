/**
 * Every shape of the catalogue of log lines, read through the whole reader: what it says, who said it, and that it says nothing else.
 * `test/fixtures/log-catalogue/README.md` has the notation. Prints how many of how many shapes are read.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import kernelLog from '#shared/formats/kernel-log.ts';
import podLog from '#shared/formats/log/pod-log.ts';
import type { LogEvent } from '#shared/model/events.ts';
import { formatEpochNs } from '#shared/model/time.ts';
import { eventsOf, readEntry, toBytes } from '../read-entry.ts';

interface Row {
  readonly name: string;
  /** A line of the catalogue; else one that only looks alike. */
  readonly shape: boolean;
  readonly lines: readonly string[];
  readonly events: readonly Record<string, unknown>[];
}

const FOLDER = new URL('../../../../fixtures/log-catalogue/', import.meta.url);
const SECTIONS = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.txt'))
  .sort();

const unescaped = (line: string): string =>
  line.replaceAll('\\e', '\u001b').replaceAll('\\r', '\r').replaceAll('\\t', '\t');

function readRow(block: string): Row {
  const [head = '', ...rest] = block.trim().split('\n');
  const shape = !head.startsWith('-');
  const name = head.replace(/^-?## /, '').replace(/ \| [^|]*$/, '');
  const lines = rest.filter((line) => !line.startsWith('=> '));
  const said = rest.filter((line) => line.startsWith('=> ') && line !== '=> nothing');
  if (rest.length === lines.length) throw new Error(`${name} says neither what it yields nor that it yields nothing`);
  const events = said.map((line) => {
    const [, kind = '', fields = '{}'] = /^=> (\S+) (\{.*\})$/.exec(line) ?? [];
    if (kind === '') throw new Error(`cannot read ${line}`);
    return { kind, ...(JSON.parse(fields) as Record<string, unknown>) };
  });
  return { name, shape, lines: lines.map(unescaped), events };
}

const rowsOf = (file: string): readonly Row[] =>
  readFileSync(new URL(file, FOLDER), 'utf8')
    .split(/^(?=-?## )/m)
    .filter((block) => block.trim() !== '')
    .map(readRow);

/** What a row may ask of an event: the fields of its body, and the printer's with an @ in front. */
function flat(event: LogEvent): Record<string, unknown> {
  const stamp = event.stamp ?? event.innerStamp;
  return {
    ...event.body,
    '@rank': event.rank,
    '@basis': event.rankBasis,
    '@local': event.localRank,
    '@pid': event.pid,
    '@host': event.host,
    '@pod': event.pod,
    '@container': event.container,
    '@time': stamp === undefined ? undefined : formatEpochNs(stamp.ns).slice(0, 19),
  };
}

let shapes = 0;
let read = 0;
afterAll(() => console.log(`catalogue of log lines: ${read} of ${shapes} shapes read`));

describe.each(SECTIONS)('%s', (file) => {
  it.each(rowsOf(file).map((row) => [row.name, row] as const))('%s', (_, row) => {
    if (row.shape) shapes++;
    const [format, path] = file === 'kernel.txt' ? [kernelLog, 'nodes/w-0/dmesg.txt'] : [podLog, 'logs/some.log'];
    const events = eventsOf(readEntry(format, toBytes(`${row.lines.join('\n')}\n`), path)).map(flat);
    expect(events.map((event) => event['kind'])).toEqual(row.events.map((event) => event['kind']));
    expect(events).toMatchObject(row.events);
    if (row.shape) read++;
  });
});

it('holds no row twice', () => {
  const names = SECTIONS.flatMap((file) => rowsOf(file).map((row) => `${file} ${row.name} ${row.lines[0]}`));
  expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([]);
});
