/** What the documents of the tree say of it: paths that are there, packages that are explained. Pure. */
import type { SourceFile } from './layers.ts';

/** They describe the tree as it is; a changelog tells what was. */
export const isDescription = (path: string): boolean =>
  /(?:^|\/)(?:README|ARCHITECTURE)\.md$/.test(path) && !path.startsWith('test/fixtures/');

const QUOTED = /`([^`\n]+)`/g;
const PATH = /^#?(?:\.{1,2}\/)*[\w.@-]+(?:\/[\w.@-]+)*\/?$/;
const SOURCE = /\.(?:ts|tsx|mjs|css|md)$/;
const ROOTED = /^#?(?:shared|electron|renderer|build|test|engine)\//;
/** `test/fixtures/formats/ID/…`: a word in capitals stands for any name. */
const PLACEHOLDER = /(?:^|[/.-])[A-Z][A-Z_]+(?=[/.-]|$)(?!\.md$)/;

/**
 * Files and folders in backquotes that are nowhere. `paths`: all of the project, with `/`. A name counts as there if any path ends with it: a
 * README may name a file from where it stands, or from the root.
 */
export function checkNamedPaths(documents: readonly SourceFile[], paths: readonly string[]): readonly string[] {
  const endings = new Set<string>();
  for (const path of paths) {
    const segments = path.split('/');
    for (let from = 0; from < segments.length; from++)
      for (let to = from + 1; to <= segments.length; to++) endings.add(segments.slice(from, to).join('/'));
  }
  const isThere = (name: string): boolean => {
    const plain = name.replace(/^#engine\//, 'electron/engine/').replace(/^(?:#|(?:\.{1,2}\/)+)/, '');
    return endings.has(plain.replace(/\/$/, ''));
  };
  return documents.flatMap(({ path, text }) =>
    text.split('\n').flatMap((line, index) =>
      [...line.matchAll(QUOTED)]
        .map(([, name = '']) => name)
        .filter((name) => PATH.test(name) && (SOURCE.test(name) || ROOTED.test(name)) && !PLACEHOLDER.test(name))
        .filter((name) => !isThere(name) && !/^\.\w+$/.test(name))
        .map((name) => `${path}:${index + 1}: names ${name}, which is nowhere`),
    ),
  );
}

/** Folders that stand beside a README with a table of folders and are not in it. */
export function checkListedFolders(documents: readonly SourceFile[], paths: readonly string[]): readonly string[] {
  return documents
    .filter(({ text }) => text.includes('| folder |'))
    .flatMap(({ path, text }) => {
      const here = path.slice(0, path.lastIndexOf('/') + 1);
      const below = paths.filter((one) => one.startsWith(here)).map((one) => one.slice(here.length).split('/'));
      const folders = new Set(below.flatMap(([folder = '', ...rest]) => (rest.length > 0 ? [folder] : [])));
      return [...folders]
        .sort()
        .filter((folder) => !new RegExp(`(?:\`|, |\\| )${folder}/?(?:\`|,| \\|)`).test(text))
        .map((folder) => `${path}: does not say what ${folder}/ is for`);
    });
}

/** Packages of the manifest that `architecture` does not name, itself or by its scope (`@scope/*`). Types come with what they type. */
export function checkExplainedPackages(dependencies: readonly string[], architecture: string): readonly string[] {
  const named = new Set(architecture.match(/@?[\w-]+(?:\/(?:[\w.-]+|\*))?/g) ?? []);
  return dependencies
    .filter((name) => !name.startsWith('@types/'))
    .filter((name) => !named.has(name) && !named.has(`${name.split('/')[0]}/*`))
    .map((name) => `ARCHITECTURE.md: does not say what ${name} is for`);
}
