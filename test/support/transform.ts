/** Changes to a bundle that must not turn a verdict into a wrong one. */
import type { BundleFiles } from './in-memory-import.ts';
import { createRandom } from './incidents/random.ts';

const decode = (bytes: Uint8Array): string => new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

const isText = (path: string): boolean => /\.(log|ya?ml|json|txt)$/.test(path);

export function shuffleFiles(files: BundleFiles, seed: number): BundleFiles {
  return new Map(createRandom(seed).shuffle([...files]));
}

/** Gives names new spellings in every text and path; all of a length, so that nothing else moves. Dumps hold no names. */
export function renameAll(files: BundleFiles, names: ReadonlyMap<string, string>): BundleFiles {
  const longestFirst = [...names].sort(([a], [b]) => b.length - a.length);
  const renamed = (text: string): string => longestFirst.reduce((t, [from, to]) => t.replaceAll(from, to), text);
  return new Map(
    [...files].map(([path, bytes]) => [renamed(path), isText(path) ? encode(renamed(decode(bytes))) : bytes]),
  );
}

export function withoutFiles(files: BundleFiles, drop: (path: string) => boolean): BundleFiles {
  return new Map([...files].filter(([path]) => !drop(path)));
}

/** The same content under a second name, as two collectors leave it. */
export function duplicateFile(files: BundleFiles, path: string, as: string): BundleFiles {
  const bytes = files.get(path);
  if (bytes === undefined) throw new Error(`no ${path} to duplicate`);
  return new Map([...files, [as, bytes]]);
}

/** Lines that mean nothing, every few lines of a log; `line` carries no stamp and no rank. */
export function addNoise(files: BundleFiles, path: string, line: string): BundleFiles {
  const bytes = files.get(path);
  if (bytes === undefined) throw new Error(`no ${path} to add noise to`);
  const noisy = decode(bytes)
    .split('\n')
    .flatMap((text, i) => (i % 7 === 3 ? [line, text] : [text]));
  return new Map([...files, [path, encode(noisy.join('\n'))]]);
}
