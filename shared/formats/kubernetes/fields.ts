/** Fields that all Kubernetes objects share. */
import { type DocMap, type DocValue, isMap, listAt, mapAt, textAt } from '../../codecs/document-tree.ts';
import type { ApiTime } from '../../model/kubernetes.ts';
import type { SourceRef } from '../../model/source-ref.ts';
import { parseIsoStamp } from '../../model/time.ts';

/** What a reader of objects needs besides the object. */
export interface ObjectContext {
  /** Ref of a range of the text. */
  readonly ref: (at: number, end: number) => SourceRef;
  /** Called with `path: text` for a field that is there and cannot be understood. */
  readonly invalid: (what: string, at: number) => void;
}

/** An RFC 3339 stamp; undefined if absent, null or (told) not understood. */
export function timeAt(
  context: ObjectContext,
  owner: DocMap | undefined,
  ...path: readonly string[]
): ApiTime | undefined {
  const text = textAt(owner, ...path);
  if (owner === undefined || text === undefined || text === '') return undefined;
  const stamp = parseIsoStamp(text);
  if (stamp !== undefined && !stamp.zoneAssumed) return stamp.ns;
  // Go's zero time means "never".
  if (!text.startsWith('0001-01-01')) context.invalid(`${path.join('.')}: ${text.slice(0, 60)}`, owner.at);
  return undefined;
}

/** String to string, such as labels. The result has no prototype: a label may be called `__proto__`. */
export function textMapAt(value: DocValue | undefined, ...path: readonly string[]): Readonly<Record<string, string>> {
  const out: Record<string, string> = Object.create(null);
  for (const [key, item] of mapAt(value, ...path)?.entries ?? []) {
    const text = textAt(item);
    if (text !== undefined) out[key] = text;
  }
  return out;
}

export const mapsAt = (value: DocValue | undefined, ...path: readonly string[]): readonly DocMap[] =>
  listAt(value, ...path).filter(isMap);

export interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason: string | undefined;
  readonly message: string | undefined;
  readonly at: ApiTime | undefined;
}

/** `status.conditions`, each with the map it came from. */
export function conditionsOf(
  context: ObjectContext,
  object: DocMap,
): readonly { readonly condition: Condition; readonly map: DocMap }[] {
  return mapsAt(object, 'status', 'conditions').flatMap((map) => {
    const type = textAt(map, 'type');
    if (type === undefined) return [];
    const condition = {
      type,
      status: textAt(map, 'status') ?? 'Unknown',
      reason: textAt(map, 'reason') || undefined,
      message: textAt(map, 'message') || undefined,
      at: timeAt(context, map, 'lastTransitionTime'),
    };
    return [{ condition, map }];
  });
}

/** Newest `managedFields` stamp of a writer; `subresource` undefined = any. */
export function managedAt(
  context: ObjectContext,
  object: DocMap,
  manager: string,
  subresource?: string,
): ApiTime | undefined {
  let newest: ApiTime | undefined;
  for (const map of mapsAt(object, 'metadata', 'managedFields')) {
    if (textAt(map, 'manager') !== manager) continue;
    if (subresource !== undefined && (textAt(map, 'subresource') ?? subresource) !== subresource) continue;
    const at = timeAt(context, map, 'time');
    if (at !== undefined && (newest === undefined || at > newest)) newest = at;
  }
  return newest;
}
