/** The end of an entry that holds states of a machine, not the lines of a program. */
import type { EntryContext, FormatOutput } from '../../model/format.ts';
import { finishEntry } from './entry-summary.ts';
import type { PathFacts } from './path-facts.ts';
import type { PlaceBook } from './place-book.ts';
import type { YearKeeper } from './year-keeper.ts';

interface StatesEnd {
  readonly context: EntryContext;
  readonly path: PathFacts;
  readonly book: PlaceBook;
  readonly years: YearKeeper;
  readonly emit: (output: FormatOutput) => void;
}

/** Gives out what is held back, and the streams. What a log without stamps or years is told of means nothing here, and the summary is the format's own. */
export function finishStates({ context, path, book, years, emit }: StatesEnd): void {
  book.gate.flush();
  years.end();
  const streamsOnly = (output: FormatOutput) => {
    if (output.kind === 'stream') emit(output);
  };
  finishEntry({ context, path, places: [book], counts: new Map(), years, printers: new Set(), emit: streamsOnly });
}
