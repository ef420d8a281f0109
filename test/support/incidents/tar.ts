/**
 * A plain ustar archive: regular files only, all owned by root, all with the same time, so that equal files give equal
 * bytes. Paths up to 100 bytes, or up to 255 where a `/` splits them into prefix and name; longer ones throw.
 */
const BLOCK = 512;
/** 2026-03-14 12:00:00 UTC. */
const MTIME_S = 1_773_489_600;

export function formatTar(files: ReadonlyMap<string, Uint8Array>, root: string): Uint8Array {
  const parts: Uint8Array[] = [];
  for (const [path, bytes] of files) {
    parts.push(
      header(`${root}/${path}`, bytes.length),
      bytes,
      new Uint8Array((BLOCK - (bytes.length % BLOCK)) % BLOCK),
    );
  }
  parts.push(new Uint8Array(2 * BLOCK));
  const out = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

function header(path: string, size: number): Uint8Array {
  const block = new Uint8Array(BLOCK);
  const { name, prefix } = splitPath(path);
  const text = (at: number, value: string): void => block.set(new TextEncoder().encode(value), at);
  const octal = (at: number, length: number, value: number): void =>
    text(at, `${value.toString(8).padStart(length - 1, '0')}\0`);
  text(0, name);
  octal(100, 8, 0o644);
  octal(108, 8, 0);
  octal(116, 8, 0);
  octal(124, 12, size);
  octal(136, 12, MTIME_S);
  text(148, '        ');
  text(156, '0');
  text(257, 'ustar\0');
  text(263, '00');
  text(265, 'root');
  text(297, 'root');
  text(345, prefix);
  text(
    148,
    `${block
      .reduce((sum, byte) => sum + byte, 0)
      .toString(8)
      .padStart(6, '0')}\0 `,
  );
  return block;
}

function splitPath(path: string): { name: string; prefix: string } {
  if (path.length <= 100) return { name: path, prefix: '' };
  const cut = path.indexOf('/', path.length - 101);
  if (cut < 1 || cut > 155) throw new Error(`path too long for ustar: ${path}`);
  return { name: path.slice(cut + 1), prefix: path.slice(0, cut) };
}
