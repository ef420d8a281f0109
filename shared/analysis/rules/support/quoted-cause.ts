/** The cause by the words of an exception whose traceback was not read as an event of its own: coarse. */
import type { Cause } from '../../../model/finding.ts';

const CAUSES: readonly (readonly [RegExp, Cause])[] = [
  [/CUDA out of memory|OutOfMemoryError/, 'cuda-out-of-memory'],
  [/CUDA error|device-side assert|CUBLAS_|cuDNN error/, 'cuda-error'],
  [
    /No space left on device|\[Errno (?:5|28|30|116|122)\]|Input\/output error|FileNotFoundError|PermissionError|PytorchStreamWriter/,
    'storage',
  ],
  [/DataLoader worker/, 'data-loader'],
  [/\b(?:nan|NaN|inf|Inf|non-?finite)\b/, 'numerics'],
  [/(?:Import|ModuleNotFound|Syntax)Error|unrecognized arguments/, 'configuration'],
];

export function quotedCause(line: string): Cause {
  return CAUSES.find(([pattern]) => pattern.test(line))?.[1] ?? 'python-exception';
}
