/**
 * Logs that `kubectl cluster-info dump` writes between the objects of its single stream:
 *
 *   ==== START logs for container pytorch of pod ml-train/w-2 ====
 *   …
 *   ==== END logs for container pytorch of pod ml-train/w-2 ====
 *
 * The end may stand behind the last line of a log that has no line feed.
 */
import type { EntryContext, FormatOutput } from '../../model/format.ts';
import { openRecords } from '../log/reader.ts';
import type { Places } from './places.ts';

export interface LogSection {
  readonly container: string;
  readonly namespace: string;
  readonly pod: string;
  /** Offsets of the whole section, and of what lies between its marks. */
  readonly at: number;
  readonly end: number;
  readonly from: number;
  readonly to: number;
}

const START =
  /^==== START logs for container ([a-z0-9-]{1,63}) of pod ([a-z0-9-]{1,63})\/([a-z0-9.-]{1,253}) ====\r?$/gm;

/** Sections of a text in their order. One without an end reaches to the end of the text. */
export function findLogSections(text: string): readonly LogSection[] {
  if (!text.includes('==== START logs for container ')) return [];
  const sections: LogSection[] = [];
  let behind = 0;
  for (const match of text.matchAll(START)) {
    // Inside another container's log the line is only its output.
    if (match.index < behind) continue;
    const [all, container = '', namespace = '', pod = ''] = match;
    const mark = `==== END logs for container ${container} of pod ${namespace}/${pod} ====`;
    const from = Math.min(match.index + all.length + 1, text.length);
    const found = text.indexOf(mark, from);
    const to = found < 0 ? text.length : found;
    const end = found < 0 ? to : to + mark.length;
    sections.push({ container, namespace, pod, at: match.index, end, from, to });
    behind = end;
  }
  return sections;
}

/** The text with blanks in place of the sections: offsets and lines stay. */
export function withoutSections(text: string, sections: readonly LogSection[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const section of sections) {
    parts.push(text.slice(at, section.at), text.slice(section.at, section.end).replace(/[^\n]/g, ' '));
    at = section.end;
  }
  return [...parts, text.slice(at)].join('');
}

export function* readLogSections(
  text: string,
  sections: readonly LogSection[],
  places: Places,
  context: EntryContext,
): Generator<FormatOutput> {
  let outputs: FormatOutput[] = [];
  const reader = openRecords(context, (output) => {
    if (output.kind !== 'summary' && output.kind !== 'status') outputs.push(output);
  });
  for (const { container, namespace, pod, from, to } of sections) {
    for (let at = from; at < to; ) {
      const feed = text.indexOf('\n', at);
      const end = feed < 0 || feed > to ? to : feed;
      reader.record({
        text: text.slice(at, end),
        stamp: undefined,
        pod,
        container,
        namespace,
        node: undefined,
        output: '',
        place: places.linePlace(at, end),
      });
      at = end + 1;
    }
    yield* outputs;
    outputs = [];
  }
  reader.end();
  yield* outputs;
}
