/** Rules about the tree as a whole: a README in each folder, no names of the machine it was written on. Pure. */
import type { SourceFile } from './layers.ts';

/** Each folder directly under these has a README.md, and so have they themselves unless the project's own covers them. */
const ROOTS: readonly string[] = ['shared', 'electron', 'renderer', 'build', 'test'];

/** `paths`: all files of the project, with `/`. */
export function checkReadmes(paths: readonly string[]): readonly string[] {
  const present = new Set(paths);
  const folders = new Set<string>();
  for (const path of paths) {
    const [root = '', folder, ...rest] = path.split('/');
    if (ROOTS.includes(root) && folder !== undefined && rest.length > 0) folders.add(`${root}/${folder}`);
  }
  return [...folders]
    .sort()
    .filter((folder) => !present.has(`${folder}/README.md`))
    .map((folder) => `${folder}/: has no README.md`);
}

/** A user's home: nothing that ships or builds may name one. A test may, as an invented example. */
const HOMES: readonly RegExp[] = [/\/home\/[a-z][\w-]*\//, /\/Users\/[A-Za-z][\w-]*\//, /[A-Z]:\\Users\\/];
/** A work folder at the root of the file system: somebody's computer, whoever names it. */
const WORKPLACE = /(?<![\w.$}~-])\/work\/[a-z]/;

/** Evidence may name any path: it is quoted, not ours. */
const QUOTED: readonly RegExp[] = [/^test\/fixtures\//, /^build\/resources\/example\//];

function patternsFor(path: string): readonly RegExp[] {
  if (QUOTED.some((pattern) => pattern.test(path))) return [];
  return path.startsWith('test/') ? [WORKPLACE] : [...HOMES, WORKPLACE];
}

/** `here`: folders of this computer that nothing may name, wherever it is checked. */
export function checkMachineNames(files: readonly SourceFile[], here: readonly string[]): readonly string[] {
  return files.flatMap(({ path, text }) => {
    const patterns = patternsFor(path);
    const isNamed = (line: string): boolean =>
      here.some((folder) => line.includes(folder)) || patterns.some((pattern) => pattern.test(line));
    return text
      .split('\n')
      .flatMap((line, index) => (isNamed(line) ? [`${path}:${index + 1}: names a path of one computer`] : []));
  });
}
