/** Who says how a process ended, as the beginning of a sentence. */
import type { ExitFact } from '../../../model/facts.ts';

/** A launcher sees its workers; the state of a container is that of its first process alone. */
export const tellerOf = (exit: ExitFact): string =>
  exit.by === 'agent' ? 'The launcher reports' : 'The state of its container shows';
