/** Bundles made on the spot, small and invented, in a scratch folder. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '..', '..', '..');
/** A real incident: rank 1 fails on a record, torchrun blames rank 2. */
export const EXAMPLE = join(ROOT, 'build', 'resources', 'example', 'small');
/** 64 ranks on eight nodes, as one archive. */
export const LARGE_EXAMPLE = join(ROOT, 'build', 'resources', 'example', 'large.tar.gz');

export const scratchFolder = (): string => mkdtempSync(join(tmpdir(), 'firstfault-bundle-'));

export function tarOf(folder: string, into: string, name: string): string {
  const file = join(into, name);
  execFileSync('tar', ['-czf', file, '-C', dirname(folder), basename(folder)]);
  return file;
}

/** Enough lines that reading them takes a while: `megabytes` of one rank's log. */
export function largeBundle(into: string, megabytes: number): string {
  const folder = join(into, 'large');
  mkdirSync(join(folder, 'logs'), { recursive: true });
  const lines: string[] = [];
  for (let i = 0; i < 10_000; i++) {
    const time = `2026-02-18T10:${String(Math.floor(i / 600) % 60).padStart(2, '0')}:${String(Math.floor(i / 10) % 60).padStart(2, '0')}.${String(i % 10)}00000000Z`;
    lines.push(
      `${time} [rank${i % 8}]: INFO step ${i} loss ${(2 + (i % 97) / 100).toFixed(4)} tokens/s ${(i * 7919) % 100_003}`,
    );
  }
  const block = `${lines.join('\n')}\n`;
  const copies = Math.ceil((megabytes * 1024 * 1024) / 8 / block.length);
  for (let rank = 0; rank < 8; rank++) writeFileSync(join(folder, 'logs', `pod-${rank}.log`), block.repeat(copies));
  return folder;
}

/** Nothing in it can be read: pictures. */
export function photos(into: string): string {
  const folder = join(into, 'holiday');
  mkdirSync(folder);
  const jpeg = Buffer.from('ffd8ffe000104a46494600010100000100010000ffdb004300', 'hex');
  for (const name of ['IMG_0001.jpg', 'IMG_0002.jpg'])
    writeFileSync(join(folder, name), Buffer.concat([jpeg, Buffer.alloc(4000, 7)]));
  return folder;
}

export const HOSTILE_LINE = '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>';

/** Names and lines that try something; a traceback in it makes the analysis quote them. */
export function hostileBundle(into: string): string {
  const folder = join(into, 'hostile');
  mkdirSync(join(folder, 'logs'), { recursive: true });
  const stamp = (s: number) => `2026-02-18T10:00:${String(s).padStart(2, '0')}.000000000Z`;
  const log = [
    `${stamp(1)} [rank0]: INFO world size 2`,
    `${stamp(2)} ${HOSTILE_LINE}`,
    `${stamp(3)} \u202egnp.exe\u202c \u001b[31mred\u001b[0m \u2066x\u2069 \u0007`,
    `${stamp(4)} ${'x'.repeat(300_000)}`,
    `${stamp(5)} [rank1]: Traceback (most recent call last):`,
    `${stamp(5)} [rank1]:   File "/train.py", line 7, in <module>`,
    `${stamp(5)} [rank1]: ValueError: __proto__ ${HOSTILE_LINE} \u202edrawkcab`,
    `${stamp(6)} [rank0]: torch.distributed.DistBackendError: connection closed by peer`,
  ].join('\n');
  writeFileSync(join(folder, 'logs', 'pod-0.log'), `${log}\n`);
  writeFileSync(join(folder, 'logs', '__proto__'), `${stamp(1)} [rank0]: INFO hello\n`);
  writeFileSync(join(folder, 'logs', '<img src=x onerror=alert(1)>\u202e.log'), `${stamp(1)} [rank0]: INFO hello\n`);
  return folder;
}
