/** The environment of a container as its Pod states it: literal, resolved from the Pod's own fields, or masked. */
import { type DocMap, mapAt, textAt, valueAt } from '../../codecs/document-tree.ts';
import type { EnvVar, PodObject } from '../../model/kubernetes.ts';
import { mapsAt } from './fields.ts';

/** What a redactor writes in place of a value. Masked is not unset. */
const REDACTED = /^(?:\*{3}[A-Z0-9_-]*\*{0,3}|<?redacted>?|\[redacted\])$/i;

export const isRedacted = (text: string): boolean => text.includes('***HIDDEN***') || REDACTED.test(text);

type PodFields = Pick<PodObject, 'name' | 'namespace' | 'uid' | 'labels' | 'annotations' | 'node' | 'podIp' | 'hostIp'>;

export function containerEnv(container: DocMap, pod: PodFields): readonly EnvVar[] {
  return mapsAt(container, 'env').flatMap((map) => {
    const name = textAt(map, 'name');
    return name === undefined ? [] : [{ name, ...envValue(map, pod) }];
  });
}

function envValue(map: DocMap, pod: PodFields): Omit<EnvVar, 'name'> {
  const literal = textAt(map, 'value');
  if (literal !== undefined)
    return isRedacted(literal) ? { value: undefined, masked: true } : { value: literal, masked: false };
  const from = mapAt(map, 'valueFrom');
  // An entry without value and without valueFrom is the empty string.
  if (from === undefined) return { value: valueAt(map, 'value') === null ? undefined : '', masked: false };
  const path = textAt(from, 'fieldRef', 'fieldPath');
  // A secret, a config map, a resource field: set, but not told.
  if (path === undefined) return { value: undefined, masked: true };
  return { value: resolveFieldPath(path, pod), masked: false };
}

const SUBSCRIPT = /^metadata\.(labels|annotations)\['([^']{1,400})'\]$/;

/** The value of a downward-API path; undefined if the Pod as given does not say. */
export function resolveFieldPath(path: string, pod: PodFields): string | undefined {
  const [, where, key] = SUBSCRIPT.exec(path) ?? [];
  if (key !== undefined) return (where === 'labels' ? pod.labels : pod.annotations)[key];
  switch (path) {
    case 'metadata.name':
      return pod.name;
    case 'metadata.namespace':
      return pod.namespace;
    case 'metadata.uid':
      return pod.uid;
    case 'spec.nodeName':
      return pod.node;
    case 'status.podIP':
      return pod.podIp;
    case 'status.hostIP':
      return pod.hostIp;
    default:
      return undefined;
  }
}
