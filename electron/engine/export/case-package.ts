/**
 * A case as one file: a plain tar (readable without this program) of
 *
 *   firstfault-package.json   version, name, and SHA-256 and size of the two files below
 *   case.db                   index and evidence
 *   notes.db                  notes, stars, overrides, custody log; without the table of stand-ins
 *
 * Reading takes these three names and nothing else, checks every hash, and writes only into the folder it is given.
 */
import { createHash } from 'node:crypto';
import {
  closeSync,
  createReadStream,
  createWriteStream,
  existsSync,
  mkdtempSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { pack } from 'tar-stream';
import { z } from 'zod';
import { err, ok, type Result } from '#shared/lib/result.ts';
import type { RpcError } from '#shared/rpc/contract.ts';
import { copyNotes } from '../store/export-log.ts';
import { listPackageParts, type PackagePart } from './package-parts.ts';

const PACKAGE_MANIFEST = 'firstfault-package.json';
const MAX_MANIFEST = 64 * 1024;
const DB_NAMES = ['case.db', 'notes.db'] as const;
type DbName = (typeof DB_NAMES)[number];

const partSchema = z.object({
  name: z.enum(DB_NAMES),
  bytes: z.int().nonnegative(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});
const manifestSchema = z.object({
  package: z.literal('firstfault-package/1'),
  tool: z.string().max(200),
  name: z.string().min(1).max(1000),
  parts: z.array(partSchema).min(1).max(2),
});
export type PackageManifest = z.infer<typeof manifestSchema>;

export interface PackageSource {
  readonly caseDb: string;
  readonly notesDb: string;
  readonly name: string;
  readonly tool: string;
}

/** Writes beside `file` and renames at the end; nothing is left behind by a failure. */
export async function writePackage(
  source: PackageSource,
  file: string,
): Promise<{ readonly bytes: number; readonly sha256: string }> {
  const scratch = mkdtempSync(join(dirname(file), '.firstfault-'));
  try {
    const notes = join(scratch, 'notes.db');
    if (existsSync(source.notesDb)) copyNotes(source.notesDb, notes);
    const paths: Readonly<Record<DbName, string>> = { 'case.db': source.caseDb, 'notes.db': notes };
    const parts: PackageManifest['parts'] = [];
    for (const name of DB_NAMES) {
      if (existsSync(paths[name]))
        parts.push({ name, bytes: statSync(paths[name]).size, sha256: await hashFile(paths[name]) });
    }
    const manifest: PackageManifest = { package: 'firstfault-package/1', tool: source.tool, name: source.name, parts };
    const out = join(scratch, 'package');
    const tar = pack();
    const written = pipeline(tar, createWriteStream(out, { mode: 0o600 }));
    // Awaited below; a failure of the disk must not go unheard while parts are still added.
    written.catch(() => undefined);
    const mtime = new Date(0);
    tar.entry({ name: PACKAGE_MANIFEST, mtime, mode: 0o600 }, `${JSON.stringify(manifest, null, 2)}\n`);
    for (const { name, bytes } of parts) {
      const entry = tar.entry({ name, size: bytes, mtime, mode: 0o600 });
      await Promise.race([pipeline(createReadStream(paths[name]), entry), written]);
    }
    tar.finalize();
    await written;
    const result = { bytes: statSync(out).size, sha256: await hashFile(out) };
    renameSync(out, file);
    return result;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** True if the file begins like a package; its name says nothing. */
export function isPackage(file: string): boolean {
  const head = Buffer.alloc(PACKAGE_MANIFEST.length + 1);
  const handle = openSync(file, 'r');
  try {
    return (
      readSync(handle, head, 0, head.length, 0) === head.length && head.toString('latin1') === `${PACKAGE_MANIFEST}\0`
    );
  } finally {
    closeSync(handle);
  }
}

/** Takes `case.db` and `notes.db` out into `folder`, which exists and is empty. Every byte is checked against the manifest. */
export async function readPackage(file: string, folder: string): Promise<Result<PackageManifest, RpcError>> {
  const wrong = (detail: string): Result<never, RpcError> => err({ code: 'case-damaged', detail });
  try {
    const listed = listPackageParts(file);
    if (!listed.ok) return wrong(listed.error);
    const [first, ...parts] = listed.value;
    if (first?.name !== PACKAGE_MANIFEST || first.bytes > MAX_MANIFEST)
      return wrong('the package has no list of its files');
    const parsed = manifestSchema.safeParse(JSON.parse(await readText(file, first)));
    if (!parsed.success) return wrong('its list of files does not fit');
    const manifest = parsed.data;
    const names = parts.map(({ name }) => name);
    if (new Set(names).size < names.length || !names.every((name) => manifest.parts.some((part) => part.name === name)))
      return wrong('the package holds a file that does not belong there');
    if (!names.includes('case.db') || names.length !== manifest.parts.length) return wrong('the package is not whole');
    for (const { name, bytes, sha256 } of manifest.parts) {
      const part = parts.find((one) => one.name === name);
      if (part?.bytes !== bytes || (await takeOut(file, part, join(folder, name))) !== sha256)
        return wrong(`${name} does not match its hash`);
    }
    return ok(manifest);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (code === 'ENOSPC' || code === 'EDQUOT') return err({ code: 'disk-full', detail: code });
    return wrong(error instanceof Error ? error.message : String(error));
  }
}

/** Copies one file of a package to a new file and gives its SHA-256. */
async function takeOut(file: string, part: PackagePart, target: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(
    contentOf(file, part),
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        hash.update(chunk);
        yield chunk;
      }
    },
    createWriteStream(target, { flags: 'wx', mode: 0o600 }),
  );
  return hash.digest('hex');
}

async function readText(file: string, part: PackagePart): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of contentOf(file, part)) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

/** `createReadStream` cannot be told to read nothing: its `end` is inside. */
const contentOf = (file: string, { from, bytes }: PackagePart): AsyncIterable<Buffer> =>
  bytes === 0 ? Readable.from([]) : createReadStream(file, { start: from, end: from + bytes - 1 });

async function hashFile(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file)) hash.update(chunk);
  return hash.digest('hex');
}
