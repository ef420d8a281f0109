/** Lines that follow a NCCL or CUDA error in the same message: shared by the records that quote one. */

const TAIL =
  /^(?:nccl[A-Z]\w{3,40}: |Last error:|CUDA kernel errors might be|For debugging consider passing|Compile with `TORCH_USE_CUDA_DSA`|Search for `?cuda|Device-side assertion)/;
/** A message goes on for at most this many lines. */
const MAX_TAIL_LINES = 8;

export interface ErrorTail {
  /** True if the line belongs to the message. */
  readonly take: (text: string) => boolean;
  /** What stood after `Last error:`; only that line carries information. */
  readonly lastError: () => string | undefined;
  readonly lines: () => readonly string[];
}

export function createErrorTail(): ErrorTail {
  const lines: string[] = [];
  let lastError: string | undefined;
  let expectLast = false;
  return {
    take(text) {
      const line = text.trim();
      if (lines.length >= MAX_TAIL_LINES) return false;
      if (expectLast) {
        expectLast = false;
        lastError = line;
        lines.push(line);
        return true;
      }
      if (!TAIL.test(line)) return false;
      if (line.startsWith('Last error:')) {
        const rest = line.slice('Last error:'.length).trim();
        if (rest === '') expectLast = true;
        else lastError = rest;
      }
      lines.push(line);
      return true;
    },
    lastError: () => (lastError === '' ? undefined : lastError),
    lines: () => lines,
  };
}
