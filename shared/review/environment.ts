/** One variable over all Pods of the job. */
import type { Facts } from '../model/finding.ts';
import type { PodObject } from '../model/kubernetes.ts';

export interface PodEnv {
  readonly pod: PodObject;
  readonly values: ReadonlyMap<string, { readonly value: string | undefined; readonly masked: boolean }>;
}

/** Pods with a specification: of the job where it is known which they are. Sorted by name. */
export function podEnvironments({ rankMap, input }: Pick<Facts, 'rankMap' | 'input'>): PodEnv[] {
  const ofJob = rankMap.pods.flatMap((place) => place.object ?? []);
  const pods = (ofJob.length > 0 ? ofJob : input.pods).filter((pod) => pod.from !== 'table');
  return [...pods]
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
    .map((pod) => ({
      pod,
      values: new Map(pod.env.map(({ name, value, masked }) => [name, { value, masked }])),
    }));
}

/**
 * - `set`      a value that is told
 * - `unset`    the whole environment is told, and the name is not in it
 * - `unknown`  masked, or the environment is filled from elsewhere as well
 */
export type Value =
  | { readonly kind: 'set'; readonly name: string; readonly value: string }
  | { readonly kind: 'unset' }
  | { readonly kind: 'unknown' };

/** The first of several names that is set counts. */
export function valueIn({ pod, values }: PodEnv, names: readonly string[]): Value {
  for (const name of names) {
    const found = values.get(name);
    if (found === undefined) continue;
    return found.masked || found.value === undefined
      ? { kind: 'unknown' }
      : { kind: 'set', name, value: found.value.trim() };
  }
  const inCommand = fromCommand(pod.command, names);
  if (inCommand !== undefined) return inCommand;
  return pod.envFromElsewhere === true ? { kind: 'unknown' } : { kind: 'unset' };
}

/** `export NAME=VALUE`, `env NAME=VALUE torchrun …` in the Pod's own command. Words are compared, nothing is run. */
function fromCommand(command: readonly string[], names: readonly string[]): Value | undefined {
  for (const text of command) {
    for (const word of text.slice(0, 50_000).split(/[\s;]+/)) {
      const cut = word.indexOf('=');
      const name = cut < 0 ? '' : word.slice(0, cut);
      if (names.includes(name)) return { kind: 'set', name, value: word.slice(cut + 1).replace(/^["']|["']$/g, '') };
    }
  }
  return undefined;
}

/** Pods by value, in the order of the Pods. */
export function byValue(pods: readonly PodEnv[], names: readonly string[]): Map<string, PodEnv[]> {
  const groups = new Map<string, PodEnv[]>();
  for (const one of pods) {
    const found = valueIn(one, names);
    const key = found.kind === 'set' ? `=${found.value}` : found.kind;
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return groups;
}

/** "2000", "not set", "not told"; with several: "1 in trainer-0 and 3 more; not set in trainer-4". */
export function foundText(groups: ReadonlyMap<string, readonly PodEnv[]>): string {
  const word = (key: string): string =>
    key === 'unset' ? 'not set' : key === 'unknown' ? 'not told' : `"${key.slice(1, 121)}"`;
  const keys = [...groups.keys()];
  const [only] = keys;
  if (only !== undefined && keys.length === 1) return word(only);
  return keys
    .map((key) => {
      const pods = groups.get(key) ?? [];
      const more = pods.length > 1 ? ` and ${pods.length - 1} more` : '';
      return `${word(key)} in ${pods[0]?.pod.name ?? '?'}${more}`;
    })
    .join('; ');
}
