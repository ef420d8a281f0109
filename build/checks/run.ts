/** `npm run layers`: all rules of this folder over the project. Lines on standard output, status 1 if there is any. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { checkExplainedPackages, checkListedFolders, checkNamedPaths, isDescription } from './documents.ts';
import { checkLayers, checkPackageClasses, type SourceFile } from './layers.ts';
import { checkMachineNames, checkReadmes } from './tree.ts';

const ROOT = resolve(import.meta.dirname, '..', '..');
const CODE = /\.(ts|tsx|mts|mjs)$/;
/** Judged file by file, as part of a layer. Build scripts in plain JavaScript are tools and stand outside. */
const IN_LAYERS = /^(shared|electron|renderer|build|test)\/.*\.(ts|tsx)$|^forge\.config\.ts$/;
const NOT_CODE = /^test\/fixtures\//;
const TEXT = /\.(ts|tsx|mjs|cjs|js|json|jsonl|md|css|html|yml|yaml|txt|log|sh|cmd)$|^\.[\w.]+$|^\.ci\/run$/;

/** Tracked and new files, ignored ones left out; the tree itself where there is no git. */
function projectFiles(): readonly string[] {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: ROOT,
    maxBuffer: 1e8,
  });
  return listed
    .toString('utf8')
    .split('\0')
    .filter((path) => path !== '' && existsSync(join(ROOT, path)))
    .sort();
}

const read = (path: string): SourceFile => ({ path, text: readFileSync(join(ROOT, path), 'utf8') });

function dependencies(): readonly string[] {
  const manifest: unknown = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const fields = ['dependencies', 'devDependencies', 'optionalDependencies'];
  return Object.entries(Object(manifest)).flatMap(([field, value]) =>
    fields.includes(field) ? Object.keys(Object(value)) : [],
  );
}

const paths = projectFiles();
const code = paths.filter((path) => CODE.test(path) && IN_LAYERS.test(path) && !NOT_CODE.test(path));
const descriptions = paths.filter(isDescription).map(read);
const complaints = [
  ...checkPackageClasses(dependencies()),
  ...checkLayers(code.map(read)),
  ...checkReadmes(paths),
  ...checkNamedPaths(descriptions, paths),
  ...checkListedFolders(descriptions, paths),
  ...checkExplainedPackages(dependencies(), read('ARCHITECTURE.md').text),
  ...checkMachineNames(paths.filter((path) => TEXT.test(path)).map(read), [ROOT]),
];
for (const line of complaints) process.stdout.write(`${line}\n`);
process.stdout.write(`${code.length} files, ${complaints.length} complaints\n`);
process.exitCode = complaints.length === 0 && code.length > 0 ? 0 : 1;
