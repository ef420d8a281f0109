/**
 * Does the engine keep anything of imports that are over? Many imports of the bundled examples in one engine, as the window has it, each kept as a
 * temporary case and closed; prints memory and open files after every tenth. Linux only (/proc).
 *
 *   npm run bench:leak -- [--imports 50] [--large]
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createEngine } from '#engine/engine.ts';
import { createClient } from '#shared/rpc/client.ts';
import { createPortPair } from '#shared/rpc/port-pair.ts';

const example = (name: string) => fileURLToPath(new URL(`../../build/resources/example/${name}`, import.meta.url));

const residentMiB = (): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? Number.NaN) / 1024;

const { values } = parseArgs({
  options: { imports: { type: 'string', default: '50' }, large: { type: 'boolean', default: false } },
});
const home = mkdtempSync(join(tmpdir(), 'firstfault-leak-'));
const engine = createEngine({
  home,
  version: '0',
  workerEntry: fileURLToPath(new URL('../../electron/cli/cli.ts', import.meta.url)),
  temporaryContents: 'everything',
});
const [ours, theirs] = createPortPair();
engine.servePrivileged(theirs);
const client = createClient(ours);
try {
  for (let count = 1; count <= Number(values.imports); count += 1) {
    const ended = new Promise<string>((resolve) => {
      const stop = client.subscribe('job.changed', (state) => {
        if (state.kind === 'queued' || state.kind === 'running') return;
        stop();
        resolve(state.kind);
      });
    });
    const path = example(values.large ? 'large.tar.gz' : 'small');
    await client.request('bundle.import', { paths: [path], keep: false });
    const how = await ended;
    if (how !== 'done') throw new Error(`import ${count}: ${how}`);
    if (count % 10 === 0 || count === 1)
      process.stdout.write(
        `${count} imports: ${residentMiB().toFixed(0)} MiB, ${readdirSync('/proc/self/fd').length} open files, ${readdirSync('/proc/self/task').length} threads\n`,
      );
  }
} finally {
  client.close();
  await engine.close();
  rmSync(home, { recursive: true, force: true });
}
