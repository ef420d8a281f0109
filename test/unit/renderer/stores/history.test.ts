import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { caseId } from '#shared/model/ids.ts';
import { redoLast, undoLast } from '../../../../renderer/data/undo.ts';
import { keepHistory } from '../../../../renderer/stores/history.ts';
import { startOf, useNavigation } from '../../../../renderer/stores/navigation.ts';
import { useSelection } from '../../../../renderer/stores/selection.ts';

const ID = caseId('a-1');
const selection = () => useSelection.getState();
const navigation = () => useNavigation.getState();
let end: () => void;

beforeEach(() => {
  vi.useFakeTimers();
  end = keepHistory();
  navigation().go({ screen: 'overview', caseId: ID });
  selection().enterCase(ID);
  vi.runAllTimers();
});
afterEach(() => {
  end();
  selection().restore({ basis: 'corrected', range: null, ranks: [], selected: null });
  vi.useRealTimers();
});

describe('a step of the history', () => {
  it('brings back what was looked at on it', () => {
    selection().setRanks([3, 1]);
    vi.runAllTimers();
    navigation().go(startOf('logs', ID));
    vi.runAllTimers();
    selection().setRange({ from: 0, to: 5 });
    selection().setRanks([]);
    vi.runAllTimers();
    navigation().back();
    expect(selection()).toMatchObject({ ranks: [1, 3], range: null });
    navigation().forward();
    expect(selection()).toMatchObject({ ranks: [], range: { from: 0, to: 5 } });
  });

  it('is not changed by a link that sets the range before it leaves', () => {
    selection().setRange({ from: 1, to: 2 });
    navigation().go(startOf('timeline', ID));
    vi.runAllTimers();
    navigation().back();
    expect(selection().range).toBeNull();
    navigation().forward();
    expect(selection().range).toEqual({ from: 1, to: 2 });
  });
});

describe('filters', () => {
  it('are undone and done again, and what is selected stays', async () => {
    selection().setRanks([7]);
    selection().select({ kind: 'rank', rank: 7 });
    selection().setBasis('raw');
    expect(await undoLast(ID)).toBe('change time basis');
    expect(await undoLast(ID)).toBe('change ranks');
    expect(selection()).toMatchObject({ ranks: [], basis: 'corrected', selected: { kind: 'rank', rank: 7 } });
    await redoLast(ID);
    expect(selection().ranks).toEqual([7]);
  });

  it('begin anew with another case', () => {
    selection().setRanks([7]);
    selection().enterCase(caseId('b-2'));
    expect(selection().ranks).toEqual([]);
    selection().enterCase(ID);
  });
});
