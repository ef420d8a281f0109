/** One variable of the catalogue against all Pods. */
import type { Evidence } from '../model/finding.ts';
import { isRead, LONG_RING_ENTRIES, type Situation, type Variable } from './catalogue.ts';
import { byValue, foundText, type PodEnv, valueIn } from './environment.ts';
import type { SettingItem, SettingState } from './types.ts';

/** Undefined where there is nothing to say: it does not apply, or it is only told when it is wrong. */
export function judgeVariable(
  variable: Variable,
  pods: readonly PodEnv[],
  situation: Situation,
): SettingItem | undefined {
  if (!variable.applies(situation)) return undefined;
  const read = variable.names.filter((name) => isRead(name, situation.torch));
  const groups = byValue(pods, read);
  const state = stateOf(variable, groups, situation);
  if (state === 'good' && !variable.wanted) return undefined;
  if (state === 'unknown' && !variable.wanted) return undefined;
  const names = variable.nameFor(situation.torch);
  return {
    name: nameOf(read, pods) ?? names[0] ?? '',
    area: variable.area,
    state,
    found:
      pods.length === 0
        ? 'no Pod specification in the bundle'
        : foundText(groups) + ignoredText(variable, pods, situation),
    want: state === 'good' ? undefined : wantedValue(variable, situation),
    why: variable.why,
    sources: state === 'good' ? [] : sourcesOf(read, groups),
  };
}

export const wantedValue = (variable: Variable, { ringTooShort }: Situation): string =>
  ringTooShort && variable.names.includes('TORCH_FR_BUFFER_SIZE') ? LONG_RING_ENTRIES : variable.want;

/** The name under which a Pod sets it. */
function nameOf(names: readonly string[], pods: readonly PodEnv[]): string | undefined {
  return names.find((name) => pods.some((one) => valueIn(one, [name]).kind === 'set' || one.values.has(name)));
}

/** A name that is set and does nothing is worse than none: somebody believes that it works. */
function ignoredText({ names }: Variable, pods: readonly PodEnv[], { torch }: Situation): string {
  if (torch === undefined) return '';
  const ignored = names.filter((name) => !isRead(name, torch) && pods.some(({ values }) => values.has(name)));
  return ignored.length === 0
    ? ''
    : `; ${ignored.join(', ')} is set, which torch ${torch.major}.${torch.minor} does not read`;
}

function stateOf(
  variable: Variable,
  groups: ReadonlyMap<string, readonly PodEnv[]>,
  situation: Situation,
): SettingState {
  const fits = (key: string): boolean | undefined =>
    key === 'unknown'
      ? undefined
      : key === 'unset'
        ? variable.onByDefault(situation)
        : variable.isGood(key.slice(1), situation);
  const results = [...groups.keys()].map((key) => ({ key, fits: fits(key) }));
  if (results.some(({ key, fits: good }) => key.startsWith('=') && good === false)) return 'unfit';
  if (results.length === 0) return variable.onByDefault(situation) ? 'good' : 'unknown';
  if (results.some(({ fits: good }) => good === false))
    return results.some(({ fits: good }) => good === true) ? 'differs' : 'missing';
  return results.some(({ fits: good }) => good === undefined) ? 'unknown' : 'good';
}

/** The first Pod of each value, at most two. */
function sourcesOf(names: readonly string[], groups: ReadonlyMap<string, readonly PodEnv[]>): Evidence[] {
  return [...groups].slice(0, 2).flatMap(([key, [first]]) =>
    first === undefined
      ? []
      : [
          {
            text: `Pod ${first.pod.name}: ${sourceText(names, key, first)}`,
            source: first.pod.source,
            rank: undefined,
            rawNs: undefined,
            clock: undefined,
          },
        ],
  );
}

function sourceText(names: readonly string[], key: string, pod: PodEnv): string {
  if (key === 'unset') return `${names[0]} is not among its variables`;
  const found = valueIn(pod, names);
  return found.kind === 'set' ? `${found.name}=${found.value.slice(0, 120)}` : `${names[0]} is not told`;
}
