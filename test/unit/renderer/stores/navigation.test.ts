import { beforeEach, describe, expect, it } from 'vitest';
import { caseId, jobId } from '#shared/model/ids.ts';
import {
  ALL_FILES,
  caseOf,
  selectCanBack,
  selectCanForward,
  selectPlace,
  selectStep,
  useNavigation,
} from '../../../../renderer/stores/navigation.ts';
import { keepScroll, keptScroll } from '../../../../renderer/stores/scroll-memory.ts';

const overview = { screen: 'overview', caseId: caseId('a') } as const;
const evidence = { screen: 'evidence', caseId: caseId('a'), files: ALL_FILES, target: null } as const;
const start = useNavigation.getState();

beforeEach(() => useNavigation.setState(start, true));

describe('navigation', () => {
  it('goes back and forward, and stays at the ends', () => {
    const { go, back, forward } = useNavigation.getState();
    go(overview);
    go(evidence);
    back();
    expect(selectPlace(useNavigation.getState())).toEqual(overview);
    expect([selectCanBack(useNavigation.getState()), selectCanForward(useNavigation.getState())]).toEqual([true, true]);
    back();
    back();
    expect(selectPlace(useNavigation.getState()).screen).toBe('cases');
    forward();
    forward();
    forward();
    expect(selectPlace(useNavigation.getState())).toEqual(evidence);
  });

  it('drops the way forward on a new step', () => {
    const { go, back } = useNavigation.getState();
    go(overview);
    go(evidence);
    back();
    go({ screen: 'cases' });
    expect(selectCanForward(useNavigation.getState())).toBe(false);
    back();
    expect(selectPlace(useNavigation.getState())).toEqual(overview);
  });

  it('replaces without a step, and keeps the scroll of the step', () => {
    const { go, replace } = useNavigation.getState();
    go(evidence);
    const { id } = selectStep(useNavigation.getState());
    keepScroll(id, 'files', 120);
    replace({ ...evidence, files: { ...ALL_FILES, find: 'x' } });
    expect(selectStep(useNavigation.getState()).id).toBe(id);
    expect(keptScroll(id, 'files')).toBe(120);
    expect(keptScroll(id, 'other')).toBeUndefined();
  });

  it('lets no screen that was left change the place that was gone to', () => {
    const { go, replace } = useNavigation.getState();
    go(evidence);
    go(overview);
    replace({ ...evidence, files: { ...ALL_FILES, find: 'late' } });
    expect(selectPlace(useNavigation.getState())).toEqual(overview);
    go({ screen: 'import', jobId: jobId('j') });
    replace(overview);
    expect(selectPlace(useNavigation.getState())).toEqual(overview);
  });

  it('remembers 200 steps', () => {
    const { go } = useNavigation.getState();
    for (let i = 0; i < 250; i++) go(overview);
    expect(useNavigation.getState().steps).toHaveLength(200);
    expect(useNavigation.getState().index).toBe(199);
  });

  it('knows the case of a place', () => {
    expect(caseOf(overview)).toBe('a');
    expect(caseOf({ screen: 'cases' })).toBeNull();
  });
});
