import { afterAll, describe, expect, it, vi } from 'vitest';
import { type KeyPress, shownKeys } from '../../../../renderer/viewmodels/keys.ts';
import {
  isSingleKey,
  LOCAL_KEYS,
  LOCAL_SCOPES,
  localAction,
  localKeysOf,
  sameKeys,
} from '../../../../renderer/viewmodels/local-keys.ts';

// Commands speak to the bridge when they run; here none does.
vi.stubGlobal('window', { firstfault: {}, matchMedia: () => ({ matches: false }), addEventListener: () => undefined });
const { allBindable, holderOf, localItems, presentKeys } = await import('../../../../renderer/views/shell/bindable.ts');
afterAll(() => vi.unstubAllGlobals());

const press = (key: string, more: Partial<KeyPress> = {}): KeyPress => ({
  ...{ key, code: /^[a-z]$/i.test(key) ? `Key${key.toUpperCase()}` : '' },
  ...{ ctrlKey: false, metaKey: false, shiftKey: /^[A-Z]$/.test(key), altKey: false },
  ...more,
});
const wanted = (bound: Record<string, string[]> = {}, more: object = {}) => ({
  ...{ bound, singleKeys: true, mac: false },
  ...more,
});

describe('keys of screens', () => {
  it('are those of the map of keys, as delivered', () => {
    const timeline = (key: KeyPress) => localAction('timeline', key, wanted());
    expect(timeline(press('w'))).toBe('zoom-in');
    expect(timeline(press('+', { shiftKey: true }))).toBe('zoom-in');
    // By its place: on a French keyboard the key at the place of W says z.
    expect(timeline(press('z', { code: 'KeyW' }))).toBe('zoom-in');
    expect(timeline(press('A'))).toBe('page-left');
    expect(timeline(press('ArrowLeft', { shiftKey: true }))).toBe('page-left');
    expect(timeline(press('ArrowLeft', { ctrlKey: true, shiftKey: true }))).toBe('mark-bit-earlier');
    expect([timeline(press('m')), timeline(press('M')), timeline(press('0', { code: 'Digit0' }))]).toEqual([
      'mark',
      'mark-area',
      'whole',
    ]);
    expect([timeline(press('w', { ctrlKey: true })), timeline(press('w', { altKey: true }))]).toEqual([null, null]);
    expect(localAction('logs', press('w'), wanted())).toBe('next-warning');
    expect(localAction('collectives', press('ArrowDown', { altKey: true }), wanted())).toBe('next-difference');
    expect(localAction('timeline', press('ArrowUp', { metaKey: true }), wanted({}, { mac: true }))).toBe('section-up');
  });

  it('give their place to a bound one; what else an action has stays', () => {
    const bound = { 'timeline-zoom-in': ['q'], 'timeline-pan-left': ['Mod+Shift+J'] };
    expect(localAction('timeline', press('q'), wanted(bound))).toBe('zoom-in');
    expect(localAction('timeline', press('w'), wanted(bound))).toBeNull();
    expect(localAction('timeline', press('+'), wanted(bound))).toBe('zoom-in');
    expect(localAction('timeline', press('ArrowLeft'), wanted(bound))).toBe('pan-left');
    expect(localAction('timeline', press('J', { ctrlKey: true, shiftKey: true }), wanted(bound))).toBe('pan-left');
    expect(localKeysOf(LOCAL_KEYS.timeline['zoom-in'], bound)).toEqual(['q', '+', '=']);
  });

  it('of one character do nothing where those are switched off, however they were bound', () => {
    const off = wanted({ 'timeline-pin': ['y'] }, { singleKeys: false });
    for (const key of ['w', 'A', 'y', '.', '0', '+']) expect(localAction('timeline', press(key), off)).toBeNull();
    expect(localAction('timeline', press('ArrowUp'), off)).toBe('lane-up');
    expect(localAction('timeline', press(' '), off)).toBe('preview');
    expect([isSingleKey('Shift+KeyA'), isSingleKey('Mod+A'), isSingleKey('F2')]).toEqual([true, false, false]);
  });

  it('are written as one types them', () => {
    expect(['KeyW', 'M', 'm', ' ', 'Mod+Shift+ArrowLeft', '+', 'Mod++'].map((spec) => shownKeys(spec, false))).toEqual([
      'W',
      'Shift M',
      'M',
      'Space',
      'Ctrl Shift ←',
      '+',
      'Ctrl +',
    ]);
  });
});

describe('all that can be bound', () => {
  it('has one name each, short enough for a settings file', () => {
    const ids = allBindable().map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[a-z0-9-]{1,60}$/);
    expect(ids.length).toBeLessThan(200);
  });

  it('has no two holders of one key in the same place, as delivered', () => {
    for (const item of allBindable())
      for (const spec of item.keys)
        expect([item.id, spec, holderOf(spec, item, {})?.id ?? null]).toEqual([item.id, spec, null]);
  });

  it('finds who holds a key: in the same screen and among the commands, not in another screen', () => {
    const [zoomIn] = localItems('timeline');
    if (zoomIn === undefined) throw new Error('no keys');
    expect(holderOf('s', zoomIn, {})?.title).toBe('Zoom out');
    expect(holderOf('D', zoomIn, {})?.title).toBe('A window to the right');
    expect(holderOf('e', zoomIn, {})).toBeNull();
    expect(holderOf('Mod+K', zoomIn, {})?.scope).toBeNull();
    const command = allBindable().find(({ id, scope }) => scope === null && id === 'inspector');
    if (command === undefined) throw new Error('no command');
    expect(holderOf('e', command, {})?.title).toBe('Next error');
    // A key that was given away is free again.
    expect(holderOf('s', zoomIn, { 'timeline-zoom-out': ['y'] })).toBeNull();
    expect(holderOf('y', zoomIn, { 'timeline-zoom-out': ['y'] })?.title).toBe('Zoom out');
    expect(presentKeys(zoomIn, { 'timeline-zoom-in': ['y'] })[0]).toBe('y');
    expect(sameKeys('KeyA', 'a') && sameKeys('Shift+KeyA', 'A') && !sameKeys('KeyA', 'A')).toBe(true);
  });

  it('is listed for every screen that has keys', () => {
    expect(LOCAL_SCOPES.map(({ scope }) => scope).sort()).toEqual(Object.keys(LOCAL_KEYS).sort());
  });
});
