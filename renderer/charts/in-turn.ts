/**
 * Work of a screen that appears, one piece a task: a plot takes some 10 ms to make, and six of them in one go would hold up keys and pointer.
 * In the order in which it was asked for; what is taken back before its turn is not done.
 */
const waiting = new Set<() => void>();

/** One timer for each piece: those of pieces that were taken back find nothing to do. */
function next(): void {
  const [first] = waiting;
  if (first === undefined) return;
  waiting.delete(first);
  first();
}

/** Returns what takes `work` back. */
export function inTurn(work: () => void): () => void {
  waiting.add(work);
  setTimeout(next);
  return () => {
    waiting.delete(work);
  };
}
