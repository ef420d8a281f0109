/**
 * An import in a process of its own that is killed in its midst. Arguments: paths (JSON), the case file, when to die: `entries:N` after so
 * many finished entries, `bytes:N` after so many bytes of input.
 */
import { productParts } from '../../electron/engine/analysis/product-parts.ts';
import { runImport } from '../../electron/engine/import/run-import.ts';

const [paths = '[]', caseFile = '', when = ''] = process.argv.slice(2);
const [what, count] = when.split(':');
const limit = Number(count);
let entries = 0;
const dieIf = (due: boolean): void => {
  if (due) process.kill(process.pid, 'SIGKILL');
};

await runImport(
  { paths: JSON.parse(paths), caseFile, tool: { name: 'firstfault', version: '0' }, canGoOn: true },
  {
    cancel: { aborted: false },
    now: () => performance.now(),
    listener: {
      onPhase: (phase) => dieIf(what === 'phase' && phase === count),
      onProgress: ({ bytesDone }) => dieIf(what === 'bytes' && bytesDone >= limit),
      onFile: ({ status }) => {
        if (status !== 'reading') entries += 1;
        dieIf(what === 'entries' && entries >= limit);
      },
    },
  },
  productParts(),
);
