/** Holds the imports of the tree to `layer-table.ts`. Pure: files come in as text, complaints go out as lines. */
import { isBuiltin } from 'node:module';
import { posix } from 'node:path';
import { importsOf } from './imports.ts';
import { DEBT, LAYERS, type Layer, OWNERS, PACKAGES } from './layer-table.ts';

export interface SourceFile {
  /** From the project folder, with `/`. */
  readonly path: string;
  readonly text: string;
}

/** package.json "imports": how one root names another. */
const ALIASES: Readonly<Record<string, string>> = { '#shared/': 'shared/', '#engine/': 'electron/engine/' };

const isBelow = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`);

const rootOf = (path: string): string => path.split('/')[0] ?? '';

/** The layer with the longest path that holds the file. */
export function layerOf(path: string): Layer | undefined {
  return LAYERS.filter((layer) => isBelow(path, layer.path)).sort((a, b) => b.path.length - a.path.length)[0];
}

/** `@scope/name/deep/file.css` → `@scope/name`. */
function packageName(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

/** A module of the tree, or a package, or Node itself. */
type Target =
  | { readonly kind: 'file'; readonly path: string; readonly relative: boolean }
  | { readonly kind: 'package'; readonly name: string }
  | { readonly kind: 'node' };

function resolveTarget(from: string, specifier: string): Target {
  if (specifier.startsWith('.')) {
    return { kind: 'file', path: posix.normalize(posix.join(posix.dirname(from), specifier)), relative: true };
  }
  for (const [alias, folder] of Object.entries(ALIASES)) {
    if (specifier.startsWith(alias))
      return { kind: 'file', path: folder + specifier.slice(alias.length), relative: false };
  }
  return isBuiltin(specifier) ? { kind: 'node' } : { kind: 'package', name: packageName(specifier) };
}

/** Free to name other roots by relative paths and to compute what they import. */
const FREE_ROOTS: readonly string[] = ['test', 'build'];

/** Null = allowed. */
function fileComplaint(layer: Layer, from: string, to: string, relative: boolean): string | null {
  const leavesRoot = relative && rootOf(from) !== rootOf(to);
  if (leavesRoot && to !== 'package.json' && !FREE_ROOTS.includes(rootOf(from))) {
    return `leaves ${rootOf(from)}/ by a relative path; use #shared/… or #engine/…`;
  }
  const target = layerOf(to);
  if (target?.path === layer.path) return layer.apart ? neighbourComplaint(layer, from, to) : null;
  const within = (entry: string): boolean => isBelow(to, entry);
  return layer.may.some(within) && !layer.not?.some(within)
    ? null
    : `${layer.path} may not import ${target?.path ?? to}`;
}

/** Files of a layer that keeps its members apart. */
function neighbourComplaint(layer: Layer, from: string, to: string): string | null {
  const member = (path: string): string => path.slice(layer.path.length + 1).split('/')[0] ?? '';
  if (member(from) === 'index.ts' || member(to) === 'support' || member(from) === member(to)) return null;
  return `members of ${layer.path} may not import one another`;
}

function packageComplaint(layer: Layer, from: string, name: string): string | null {
  const kind = PACKAGES[name];
  if (kind === undefined) return `package ${name} is not classified in layer-table.ts`;
  const owners = OWNERS[name];
  if (owners !== undefined && layer.path !== 'test' && !owners.some((owner) => isBelow(from, owner))) {
    return `package ${name} belongs to ${owners.join(' and ')}`;
  }
  const allowed = layer.may.some((entry) => entry === kind || entry === `npm:${name}` || entry === 'npm:*');
  return allowed ? null : `${layer.path} may not import package ${name} (${kind})`;
}

function complaint(layer: Layer, from: string, specifier: string): string | null {
  const target = resolveTarget(from, specifier);
  switch (target.kind) {
    case 'file':
      return fileComplaint(layer, from, target.path, target.relative);
    case 'package':
      return packageComplaint(layer, from, target.name);
    case 'node':
      return layer.may.includes('node') ? null : `${layer.path} may not import ${specifier}`;
  }
}

function computedComplaint(from: string): string | null {
  return FREE_ROOTS.includes(rootOf(from)) ? null : 'imports something computed at run time';
}

function checkFile(file: SourceFile): readonly string[] {
  const layer = layerOf(file.path);
  if (layer === undefined) return [`${file.path}: stands in no layer; add it to layer-table.ts`];
  const complaints: string[] = [];
  for (const { specifier, line } of importsOf(file.path, file.text)) {
    const why = specifier === null ? computedComplaint(file.path) : complaint(layer, file.path, specifier);
    if (why !== null && DEBT[`${file.path} → ${specifier}`] === undefined)
      complaints.push(`${file.path}:${line}: ${why}`);
  }
  return complaints;
}

/** One line for each import that the table does not allow; empty = all is well. */
export function checkLayers(files: readonly SourceFile[]): readonly string[] {
  return files.flatMap(checkFile);
}

/** Packages of package.json without a class, and classes of packages that are gone. */
export function checkPackageClasses(dependencies: readonly string[]): readonly string[] {
  const listed = new Set(dependencies);
  return [
    ...dependencies
      .filter((name) => PACKAGES[name] === undefined)
      .map((name) => `package ${name} is not classified in layer-table.ts`),
    ...Object.keys(PACKAGES)
      .filter((name) => !listed.has(name))
      .map((name) => `package ${name} is classified in layer-table.ts but not in package.json`),
  ];
}
