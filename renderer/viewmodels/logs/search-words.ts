/** What the head of the log list says: how many, of how many, in which order, how far the search has come. */
import type { LogCase, SearchState } from '#shared/rpc/areas/logs.ts';
import { formatCount, plural } from '#shared/text/format.ts';

export interface SearchWords {
  /** `3 557 of 214 380 lines`, with `≥` while text is unsearched. */
  readonly count: string;
  readonly files: string;
  readonly order: string;
  readonly state: string;
}

export function searchWords(logCase: LogCase, state: SearchState | null, basis: 'raw' | 'corrected'): SearchWords {
  const total = formatCount(logCase.totalLines);
  const order = basis === 'raw' ? 'order: raw time' : orderWords(logCase);
  if (state === null) return { count: `${total} lines`, files: '', order, state: '' };
  const all = state.exact && state.matches === logCase.totalLines;
  return {
    count: all ? `${total} lines` : `${state.exact ? '' : '≥ '}${formatCount(state.matches)} of ${total} lines`,
    files: plural(state.matchedFiles, 'file'),
    order,
    state: stateWords(state),
  };
}

/** Files whose clock is not known keep their raw times: the order says so. */
function orderWords(logCase: LogCase): string {
  const raw = logCase.files.filter(({ untimed, offset }) => !untimed && offset === null).length;
  const timed = logCase.files.filter(({ untimed }) => !untimed).length;
  if (raw === 0) return 'order: corrected time';
  return raw === timed ? 'order: raw time, no clock is known' : `order: corrected time, ${plural(raw, 'file')} raw`;
}

export function stateWords(state: SearchState): string {
  const share = state.wholeBytes === 0 ? 1 : state.doneBytes / state.wholeBytes;
  const damaged = state.damaged > 0 ? `, ${plural(state.damaged, 'block')} cannot be read` : '';
  switch (state.status) {
    case 'searching':
      return `searched ${Math.floor(share * 100)} % of text; continuing${damaged}`;
    case 'done':
      return `all text searched${damaged}`;
    case 'cancelled':
      return `stopped: searched ${Math.floor(share * 100)} % of text`;
    case 'too-slow':
      return 'stopped: the expression takes too long on some lines';
    case 'failed':
      return 'stopped: the search thread ended';
  }
}
