/** What a launcher's command line says about its processes. Nothing is run: words are only compared. */
import type { EnvVar } from '../../model/kubernetes.ts';

/** Value of a variable; undefined if it is not set or masked. */
export function envValue(env: readonly EnvVar[], name: string): string | undefined {
  const found = env.findLast((item) => item.name === name);
  return found === undefined || found.masked || found.value === undefined ? undefined : found.value.trim();
}

export function envInteger(env: readonly EnvVar[], name: string): number | undefined {
  const text = envValue(env, name);
  return text !== undefined && /^\d{1,7}$/.test(text) ? Number(text) : undefined;
}

const VARIABLE = /^\$(?:\((\w{1,100})\)|\{(\w{1,100})\}|(\w{1,100}))$/;

/** A word with its variable resolved: `$(RANK)`, `${RANK}`, `$RANK`, in quotes or not. */
function resolve(word: string, env: readonly EnvVar[]): string | undefined {
  const bare = word.replace(/^["']|["']$/g, '');
  const [, kube, braced, plain] = VARIABLE.exec(bare) ?? [];
  const name = kube ?? braced ?? plain;
  return name === undefined ? bare : envValue(env, name);
}

/** Words of a command; a shell script in one word (`sh -c "torchrun …"`) is split at white space. */
export function commandWords(command: readonly string[]): readonly string[] {
  return command
    .flatMap((word) => (/\s/.test(word) ? word.slice(0, 50_000).split(/[\s;\\]+/) : [word]))
    .filter((word) => word !== '');
}

/**
 * The value of an option by any of its names, `--name VALUE` or `--name=VALUE`, with `-` and `_` taken as equal.
 * Undefined if it is absent or its variable is not known.
 */
export function optionValue(
  words: readonly string[],
  env: readonly EnvVar[],
  ...names: readonly string[]
): string | undefined {
  for (const [i, word] of words.entries()) {
    if (!word.startsWith('--')) continue;
    const cut = word.indexOf('=');
    const name = (cut < 0 ? word : word.slice(0, cut)).slice(2).replaceAll('_', '-');
    if (!names.includes(name)) continue;
    const value = cut < 0 ? words[i + 1] : word.slice(cut + 1);
    return value === undefined ? undefined : resolve(value, env);
  }
  return undefined;
}

export const integerOf = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d{1,7}$/.test(text) ? Number(text) : undefined;
