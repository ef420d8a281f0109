import { describe, expect, it } from 'vitest';
import { pushUndo, redoLast, undoLast } from '../../../../renderer/data/undo.ts';

function counter(scope: string) {
  const state = { value: 0 };
  const set = (value: number, merge?: string, now?: number) => {
    const before = state.value;
    state.value = value;
    pushUndo(
      scope,
      {
        title: `set ${value}`,
        undo: () => {
          state.value = before;
        },
        redo: () => {
          state.value = value;
        },
        ...(merge === undefined ? {} : { merge }),
      },
      now,
    );
  };
  return { state, set };
}

describe('undo', () => {
  it('takes steps back in order, and does them again until something new is done', async () => {
    const { state, set } = counter('a');
    set(1);
    set(2);
    expect(await undoLast('a')).toBe('set 2');
    expect(state.value).toBe(1);
    expect(await redoLast('a')).toBe('set 2');
    expect(state.value).toBe(2);
    await undoLast('a');
    set(5);
    expect(await redoLast('a')).toBeNull();
    await undoLast('a');
    await undoLast('a');
    expect(state.value).toBe(0);
    expect(await undoLast('a')).toBeNull();
  });

  it('is apart for each case', async () => {
    counter('b').set(1);
    expect(await undoLast('c')).toBeNull();
  });

  it('makes one step of a drag, and not of two', async () => {
    const { state, set } = counter('d');
    set(1, 'range', 0);
    set(2, 'range', 300);
    set(3, 'range', 5000);
    await undoLast('d');
    expect(state.value).toBe(2);
    await undoLast('d');
    expect(state.value).toBe(0);
  });
});
