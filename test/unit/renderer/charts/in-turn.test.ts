import { describe, expect, it } from 'vitest';
import { inTurn } from '../../../../renderer/charts/in-turn.ts';

/** Notes a piece of work, and when the task ends in which it was done. */
const noting = (done: string[], name: string) => () => {
  done.push(name);
  queueMicrotask(() => done.push('|'));
};
const allTasks = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20));

describe('work in turn', () => {
  it('is done one piece a task, in order, and not at once', async () => {
    const done: string[] = [];
    for (const name of ['a', 'b', 'c']) inTurn(noting(done, name));
    expect(done).toEqual([]);
    await allTasks();
    expect(done).toEqual(['a', '|', 'b', '|', 'c', '|']);
  });

  it('is not done if it is taken back before', async () => {
    const done: string[] = [];
    const takeBack = inTurn(noting(done, 'a'));
    inTurn(noting(done, 'b'));
    takeBack();
    await allTasks();
    inTurn(noting(done, 'c'));
    await allTasks();
    expect(done).toEqual(['b', '|', 'c', '|']);
  });
});
