/** Steps that can be taken back and done again: notes, stars, marks, filters. Kept per case, in this window, until it closes. */

export interface UndoStep {
  /** `add note`, `remove star`: follows the word Undo. */
  readonly title: string;
  readonly undo: () => void | Promise<void>;
  readonly redo: () => void | Promise<void>;
  /** Steps of one kind that follow each other within a second become one: a drag is one step. */
  readonly merge?: string;
}

interface Stacks {
  readonly done: UndoStep[];
  readonly undone: UndoStep[];
  at: number;
}

const MAX_STEPS = 200;
const MERGE_MS = 1000;
const stacks = new Map<string, Stacks>();

function stacksOf(scope: string): Stacks {
  const known = stacks.get(scope) ?? { done: [], undone: [], at: 0 };
  stacks.set(scope, known);
  return known;
}

/** Notes that something was done in `scope` (a case id); what was undone before it cannot be redone any more. */
export function pushUndo(scope: string, step: UndoStep, now = performance.now()): void {
  const known = stacksOf(scope);
  const last = known.done.at(-1);
  const joins =
    last !== undefined && step.merge !== undefined && last.merge === step.merge && now - known.at < MERGE_MS;
  if (joins) known.done[known.done.length - 1] = { ...step, undo: last.undo };
  else known.done.push(step);
  if (known.done.length > MAX_STEPS) known.done.shift();
  known.undone.length = 0;
  known.at = now;
}

/** Takes the last step back. Returns its title, or null if there is none. */
export async function undoLast(scope: string): Promise<string | null> {
  const { done, undone } = stacksOf(scope);
  const step = done.pop();
  if (!step) return null;
  undone.push(step);
  await step.undo();
  return step.title;
}

export async function redoLast(scope: string): Promise<string | null> {
  const { done, undone } = stacksOf(scope);
  const step = undone.pop();
  if (!step) return null;
  done.push(step);
  await step.redo();
  return step.title;
}
