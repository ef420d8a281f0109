/** Writes a generated bundle to disk, for scripts and for tests that start at a path. Node only. */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Incident } from './spec.ts';
import { formatTar } from './tar.ts';

export async function saveAsFolder(incident: Incident, folder: string): Promise<void> {
  for (const [path, bytes] of incident.files) {
    const target = join(folder, path);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, bytes);
  }
}

/** Members lie under a folder named after the incident. */
export async function saveAsTarGz(incident: Incident, file: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, gzipSync(formatTar(incident.files, incident.name), { level: 9 }));
}
