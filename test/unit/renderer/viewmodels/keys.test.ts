import { describe, expect, it } from 'vitest';
import { type KeyPress, matchesKeys, shownKeys, specOf } from '../../../../renderer/viewmodels/keys.ts';
import { widthSteps } from '../../../../renderer/viewmodels/window-width.ts';

const press = (key: string, more: Partial<KeyPress> = {}): KeyPress => ({
  key,
  code: '',
  ctrlKey: false,
  metaKey: false,
  shiftKey: false,
  altKey: false,
  ...more,
});

describe('widthSteps', () => {
  it.each([
    [1440, 1, ''],
    [1280, 1, ''],
    [1279, 1, 'medium'],
    [1024, 1, 'medium narrow'],
    [1440, 1.25, 'medium'],
    [1440, 2, 'medium narrow tiny'],
    [1024, 2, 'medium narrow tiny'],
  ])('%d px at text size %d', (width, scale, expected) => {
    expect(widthSteps(width, scale)).toBe(expected);
  });
});

describe('keys', () => {
  it.each([
    ['Ctrl on Linux', 'Mod+K', press('k', { ctrlKey: true }), false, true],
    ['Cmd on macOS', 'Mod+K', press('k', { metaKey: true }), true, true],
    ['Ctrl is not Cmd', 'Mod+K', press('k', { ctrlKey: true }), true, false],
    ['Shift matters with a modifier', 'Mod+P', press('P', { ctrlKey: true, shiftKey: true }), false, false],
    ['Shift wanted', 'Mod+Shift+P', press('P', { ctrlKey: true, shiftKey: true }), false, true],
    ['a character may need Shift', '?', press('?', { shiftKey: true }), false, true],
    ['a character with Ctrl is another key', '/', press('/', { ctrlKey: true }), false, false],
    [
      'digits by place, for layouts that shift them',
      'Mod+1',
      press('&', { ctrlKey: true, code: 'Digit1' }),
      false,
      true,
    ],
    ['plus itself', 'Mod++', press('+', { ctrlKey: true }), false, true],
    ['arrows', 'Alt+ArrowLeft', press('ArrowLeft', { altKey: true }), false, true],
    ['function keys', 'Shift+F6', press('F6', { shiftKey: true }), false, true],
  ])('%s', (_name, spec, event, mac, expected) => {
    expect(matchesKeys(spec, event, mac)).toBe(expected);
  });

  it.each([
    ['Mod+J', press('j', { ctrlKey: true }), false],
    ['Mod+J', press('j', { metaKey: true }), true],
    ['Mod+Shift+P', press('P', { ctrlKey: true, shiftKey: true }), false],
    ['Mod+Alt+7', press('7', { ctrlKey: true, altKey: true, code: 'Digit7' }), false],
    ['Mod+1', press('&', { ctrlKey: true, code: 'Digit1' }), false],
    ['Alt+ArrowLeft', press('ArrowLeft', { altKey: true }), false],
    ['Shift+F6', press('F6', { shiftKey: true }), false],
    ['Mod++', press('+', { ctrlKey: true }), false],
    ['?', press('?', { shiftKey: true }), false],
    ['J', press('J', { shiftKey: true }), false],
  ])('are written as %s, and match that', (spec, event, mac) => {
    expect(specOf(event, mac)).toBe(spec);
    expect(matchesKeys(spec, event, mac)).toBe(true);
  });

  it.each([
    press('Shift', { shiftKey: true }),
    press('Control', { ctrlKey: true }),
    press(' '),
    press('j', { metaKey: true }),
  ])('are none for %j', (event) => expect(specOf(event, false)).toBeNull());

  it('are shown as the platform writes them', () => {
    expect(shownKeys('Mod+Shift+P', false)).toBe('Ctrl Shift P');
    expect(shownKeys('Mod+Shift+P', true)).toBe('⌘⇧P');
    expect(shownKeys('Alt+ArrowLeft', false)).toBe('Alt ←');
  });
});
