/**
 * Paths inside a bundle are text from a stranger. Nothing is ever written to them, but they are shown, stored and
 * compared, so only plain relative ones become entries; the rest is refused and listed.
 */
import { isUtf8 } from 'node:buffer';
import type { Refusal } from './bundle-item.ts';

export type PathCheck =
  | { readonly ok: true; readonly path: string }
  | { readonly ok: false; readonly shown: string; readonly refusal: Refusal };

const DRIVE = /^[A-Za-z]:[\\/]?/;
/** `2026-03-14T10:25:02/x.log` is a real folder name; only a single letter before the colon is a drive. */
const CONTROL = /[\u0000-\u001f\u007f]/g;

/** Control characters as `\xNN`, so that a path cannot move a terminal's cursor or end a line. */
export const visiblePath = (path: string): string =>
  path.replace(CONTROL, (c) => `\\x${c.charCodeAt(0).toString(16).padStart(2, '0')}`);

/** Longer names are refused for their length: nobody reads them. */
const MAX_SPELLED_BYTES = 16 * 1024;

/** A name as text. Bytes that are no UTF-8 (of an old archiver, of another system) become `%NN`: two different names do not look the same. */
export function nameOf(bytes: Buffer): string {
  if (isUtf8(bytes) || bytes.length > MAX_SPELLED_BYTES) return bytes.toString('utf8');
  let name = '';
  for (let at = 0; at < bytes.length; ) {
    const length = [1, 2, 3, 4].find((count) => isUtf8(bytes.subarray(at, at + count))) ?? 0;
    name += length > 0 ? bytes.toString('utf8', at, at + length) : `%${(bytes[at] ?? 0).toString(16).toUpperCase()}`;
    at += Math.max(length, 1);
  }
  return name;
}

/**
 * Checks one member path and normalises it: `./` and doubled or trailing `/` go away; backslashes become `/`, since zip tools on
 * Windows write them. Refuses absolute paths, drive letters, `..`, NUL, empty paths and those that are, with the `prefix` of
 * their archive, above `maxBytes` of UTF-8.
 */
export function checkMemberPath(raw: string, maxBytes: number, prefix = ''): PathCheck {
  const refuse = (code: Refusal['code'], detail: string): PathCheck => ({
    ok: false,
    shown: visiblePath(raw.slice(0, 200)),
    refusal: { code, status: 'refused', detail },
  });
  const bytes = Buffer.byteLength(raw) + Buffer.byteLength(prefix);
  if (bytes > maxBytes) return refuse('path-too-long', `path of ${bytes} bytes, limit ${maxBytes}`);
  if (raw.includes('\0')) return refuse('entry-path-escapes', 'path holds a NUL byte');
  const slashed = raw.replaceAll('\\', '/');
  if (slashed.startsWith('/')) return refuse('entry-path-escapes', 'absolute path');
  if (DRIVE.test(raw)) return refuse('entry-path-escapes', 'path with a drive letter');
  const parts = slashed.split('/').filter((part) => part !== '' && part !== '.');
  if (parts.includes('..')) return refuse('entry-path-escapes', 'path leaves the bundle by ".."');
  if (parts.length === 0) return refuse('entry-path-escapes', 'empty path');
  return { ok: true, path: visiblePath(parts.join('/')) };
}

/** True if a link at `path` with `target` stays inside the bundle's root. Judged by text alone; nothing is followed. */
export function linkStaysInside(path: string, target: string): boolean {
  const slashed = target.replaceAll('\\', '/');
  if (slashed.startsWith('/') || DRIVE.test(target) || target.includes('\0')) return false;
  const stack = path.split('/').slice(0, -1);
  for (const part of slashed.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') stack.push(part);
    else if (stack.pop() === undefined) return false;
  }
  return true;
}

/** How a link is listed: harmless ones are skipped (their target is read itself), escaping ones refused. */
export function linkRefusal(path: string, target: string, hard: boolean): Refusal {
  // A hard link names a member by its full path in the archive; a symbolic one is relative to its folder.
  const inside = linkStaysInside(hard ? '' : path, target);
  const shown = visiblePath(target.slice(0, 200));
  return inside
    ? { code: 'entry-is-link', status: 'skipped', detail: `link to ${shown}; links are not followed` }
    : { code: 'entry-is-link', status: 'refused', detail: `link that leaves the bundle: ${shown}` };
}
