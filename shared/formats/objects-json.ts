/**
 * Kubernetes objects as JSON: one object, a list, concatenated objects, JSON lines, or a bare array.
 *
 *   {"apiVersion":"v1","kind":"List","items":[{"apiVersion":"v1","kind":"Pod",…
 *
 * Read: as `objects-yaml`. Of a text that ends too early, the objects before the end are read. In the single stream of
 * `kubectl cluster-info dump` the logs of all containers stand between the objects; they go through the log reader.
 */
import { readJsonParts } from '../codecs/json/index.ts';
import {
  type Claim,
  defineDocumentFormat,
  type EntryContext,
  type EntryHead,
  type FormatOutput,
} from '../model/format.ts';
import { findLogSections, readLogSections, withoutSections } from './kubernetes/log-sections.ts';
import { readObjects } from './kubernetes/objects.ts';
import { Places } from './kubernetes/places.ts';

const START = /^\uFEFF?\s{0,200}[[{]/;
const API_VERSION = /"apiVersion"\s{0,10}:\s{0,10}"[a-z][\w.-]{0,100}(?:\/v\w{1,20})?"/;
const KIND = /"kind"\s{0,10}:\s{0,10}"[A-Z]\w{1,80}"/;
/** `{"metadata":{},"items":[{"metadata":…`: a list that a Go program wrote without kinds. */
const BARE_KEYS = [
  /"items"\s{0,10}:\s{0,10}\[/,
  /"metadata"\s{0,10}:\s{0,10}\{/,
  /"(?:creationTimestamp|spec|involvedObject)"\s{0,10}:/,
];

function claim(head: EntryHead): Claim | undefined {
  if (!START.test(head.text)) return undefined;
  const api = API_VERSION.test(head.text);
  const kind = KIND.test(head.text);
  if (api && kind) return { score: 0.95, why: 'apiVersion and kind as JSON' };
  if (api || kind) return { score: 0.8, why: api ? 'apiVersion as JSON' : 'kind as JSON' };
  return BARE_KEYS.every((key) => key.test(head.text))
    ? { score: 0.6, why: 'a JSON list of objects with metadata' }
    : undefined;
}

export default defineDocumentFormat({
  id: 'objects-json',
  title: 'Kubernetes objects (JSON)',
  // Reading the head of a list passes over the whole text once: about a second at this size.
  maxBytes: 64 * 1024 * 1024,
  ifTooLarge:
    'collect the objects of one namespace or kind each (a dump: with --output-directory) and give the files together',
  claim,
  parse,
});

function* parse(bytes: Uint8Array, context: EntryContext): Generator<FormatOutput> {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  const places = new Places(bytes, text, context.entry);
  const sections = findLogSections(text);
  const objects = sections.length === 0 ? text : withoutSections(text, sections);
  let summary = '';
  for (const output of readObjects(readJsonParts(objects), (at, end) => places.ref(at, end), 'json-invalid')) {
    if (output.kind === 'summary') summary = output.text;
    else yield output;
  }
  if (sections.length > 0) {
    yield* readLogSections(text, sections, places, context);
    summary += `; logs of ${sections.length} ${sections.length === 1 ? 'container' : 'containers'}`;
  }
  yield { kind: 'summary', text: summary };
}
