/**
 * Kubernetes objects as YAML: `kubectl get … -o yaml`, manifests, several documents, lists.
 *
 *   apiVersion: v1
 *   items:
 *   - apiVersion: v1
 *     kind: Pod
 *
 * Read: Pods, Events (v1 and events.k8s.io), node Leases, Nodes and the owners of training Pods; other kinds are
 * counted. Clock: each stamp belongs to the component that wrote it, see `shared/model/kubernetes.ts`.
 * Not covered: objects inside other text (a log that prints YAML).
 */
import { readYamlParts } from '../codecs/yaml/index.ts';
import { type Claim, defineDocumentFormat, type EntryHead } from '../model/format.ts';
import { readObjects } from './kubernetes/objects.ts';
import { Places } from './kubernetes/places.ts';

const FIRST_KEY = /^(?:- )?["']?(?:apiVersion|kind|metadata|items)["']?[ \t]*:(?:[ \t]|\r?$)/;
const API_VERSION =
  /^[ \t]*(?:- )?["']?apiVersion["']?[ \t]*:[ \t]*["']?[a-z][\w.-]{0,100}(?:\/v\w{1,20})?["']?[ \t]*\r?$/m;
const KIND = /^[ \t]*(?:- )?["']?kind["']?[ \t]*:[ \t]*["']?[A-Z]\w{1,80}["']?[ \t]*\r?$/m;

/** First line that is no comment, blank, separator or directive. */
function firstLine(text: string): string {
  for (const line of text.replace(/^\uFEFF/, '').split('\n', 60)) {
    if (!/^\s*(?:#.*)?$|^---(?:\s.*)?$|^%/.test(line)) return line;
  }
  return '';
}

function claim(head: EntryHead): Claim | undefined {
  if (!FIRST_KEY.test(firstLine(head.text))) return undefined;
  const api = API_VERSION.test(head.text);
  const kind = KIND.test(head.text);
  if (api && kind) return { score: 0.95, why: 'apiVersion and kind as YAML' };
  return api || kind ? { score: 0.8, why: api ? 'apiVersion as YAML' : 'kind as YAML' } : undefined;
}

export default defineDocumentFormat({
  id: 'objects-yaml',
  title: 'Kubernetes objects (YAML)',
  // The tree of one object exists at a time; the text itself is held twice (bytes and string).
  maxBytes: 64 * 1024 * 1024,
  ifTooLarge: 'collect the objects of one namespace or kind each and give the files together',
  claim,
  parse: (bytes, context, truncated) => {
    const text = decodeWhole(bytes, truncated);
    const places = new Places(bytes, text, context.entry);
    return readObjects(readYamlParts(text), (at, end) => places.ref(at, end), 'yaml-invalid');
  },
});

/** Of a cut text the last line is left out: `exitCode: 1` may have been `exitCode: 137`. */
function decodeWhole(bytes: Uint8Array, truncated: boolean): string {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  return truncated ? text.slice(0, text.lastIndexOf('\n') + 1) : text;
}
