/**
 * Writes `electron/engine/import/prefilter/line-scanner-code.ts`: the machine code of `scan.as` beside it, as WebAssembly in base64. It is
 * committed, so that nobody needs the compiler to build the program.
 *
 *   node build/scripts/make-line-scanner.ts
 *
 * A test compares the file with what this would write.
 */
import { readFile, writeFile } from 'node:fs/promises';
import asc from 'assemblyscript/asc';

const FOLDER = new URL('../../electron/engine/import/prefilter/', import.meta.url);
/** Memory is the host's and never grows: twelve pages, as `line-scanner.ts` lays them out. */
const OPTIONS = '--runtime stub -O3 --noAssert --enable simd --importMemory --initialMemory 12 --maximumMemory 12';
const LINE = 120;

/** The file's text. Same source, same text. Throws what the compiler complains about. */
export async function formatLineScanner(): Promise<string> {
  const source = await readFile(new URL('scan.as', FOLDER), 'utf8');
  let code: Uint8Array | undefined;
  const { error, stderr } = await asc.main(['scan.ts', '--outFile', 'scan.wasm', ...OPTIONS.split(' ')], {
    readFile: (name) => (name === 'scan.ts' ? source : null),
    writeFile: (name, content) => {
      if (name === 'scan.wasm' && typeof content !== 'string') code = content;
    },
    listFiles: () => [],
  });
  if (error !== null || code === undefined) throw new Error(stderr.toString());
  const lines =
    Buffer.from(code)
      .toString('base64')
      .match(new RegExp(`.{1,${LINE}}`, 'g')) ?? [];
  return [
    '/** Made by `node build/scripts/make-line-scanner.ts` from `scan.as`; not to be changed by hand. */',
    'export const LINE_SCANNER_CODE = `',
    ...lines,
    '`;',
    '',
  ].join('\n');
}

if (import.meta.main) {
  await writeFile(new URL('line-scanner-code.ts', FOLDER), await formatLineScanner());
}
