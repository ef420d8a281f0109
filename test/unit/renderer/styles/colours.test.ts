/** The measures of the token file: contrast (WCAG 2.2) and distance for the common kinds of colour vision. */
import { describe, expect, it } from 'vitest';
import { contrast, distance, VISIONS } from './colour-maths.ts';
import { THEMES } from './themes.ts';

const SURFACES = ['surface-0', 'surface-1', 'surface-2', 'surface-3', 'selection'];
const names = (prefix: string, list: string) => list.split(' ').map((name) => `${prefix}-${name}`);
const TEXT = [
  'text-1',
  'text-2',
  'text-3',
  'text-link',
  'accent',
  'role-first-text',
  'role-victim',
  'role-bystander',
  'role-unknown',
  ...names('status', 'established supported hypothesis not-determinable ruled-out'),
  ...names('order', 'certain likely undecided'),
  ...names('sev', 'debug info warn error fatal'),
];
const GRAPHICS = [
  'role-first',
  'line-control',
  'focus',
  'selection-line',
  'series-1',
  ...names('coll', 'not-enqueued enqueued running completed failed missing'),
];
const LABELS = [
  ['on-accent', 'accent'],
  ['on-accent', 'accent-hover'],
  ['on-role-first', 'role-first'],
  ['on-coll-enqueued', 'coll-enqueued'],
  ['on-coll-running', 'coll-running'],
  ['on-coll-completed', 'coll-completed'],
  ['on-coll-failed', 'coll-failed'],
  ['text-1', 'mark-hit'],
  ['text-1', 'role-first-tint'],
  ['text-2', 'role-first-tint'],
  ['text-3', 'role-first-tint'],
  ['role-first-text', 'role-first-tint'],
  ['text-2', 'role-victim-tint'],
  ['role-victim', 'role-victim-tint'],
  ['text-1', 'hover'],
  ['text-3', 'hover'],
] as const;
const MARKS = [
  ['coll-running', 'role-first-tint'],
  ['coll-completed', 'role-first-tint'],
  ['role-first', 'role-first-tint'],
  ['series-1', 'series-band'],
  ['series-other', 'surface-0'],
  ['series-edge', 'surface-0'],
  ['coll-missing', 'surface-2'],
  ['order-likely', 'role-victim-tint'],
  ['order-undecided', 'role-victim-tint'],
  ['coll-running', 'role-victim-tint'],
  ['role-victim', 'coll-running-body'],
] as const;
const FAMILIES = {
  status: names('status', 'established supported hypothesis not-determinable'),
  role: names('role', 'first victim bystander unknown'),
  collective: names('coll', 'not-enqueued enqueued running completed failed missing'),
  severity: names('sev', 'debug info warn error fatal'),
  order: names('order', 'certain likely undecided'),
};
/** Told apart by form: a pattern, a boxed letter, a letter. */
const BY_FORM = new Set([
  'coll-completed coll-missing',
  'coll-enqueued coll-missing',
  'sev-error sev-fatal',
  'sev-debug sev-info',
]);
const MIN_DISTANCE = 11;

describe.each(Object.entries(THEMES))('theme %s', (_name, tokens) => {
  const colour = (name: string): string => {
    const value = tokens.get(name);
    if (value === undefined) throw new Error(`no token --${name}`);
    return value;
  };

  it.each(TEXT)('%s reads on every surface', (name) => {
    for (const surface of SURFACES)
      expect(contrast(colour(name), colour(surface)), surface).toBeGreaterThanOrEqual(4.5);
  });

  it.each(GRAPHICS)('%s is seen on every surface', (name) => {
    for (const surface of SURFACES) expect(contrast(colour(name), colour(surface)), surface).toBeGreaterThanOrEqual(3);
  });

  it.each(LABELS)('%s reads on %s', (label, ground) => {
    expect(contrast(colour(label), colour(ground))).toBeGreaterThanOrEqual(4.5);
  });

  it.each(MARKS)('%s is seen on %s', (mark, ground) => {
    expect(contrast(colour(mark), colour(ground))).toBeGreaterThanOrEqual(3);
  });

  it.each(Object.entries(FAMILIES))('the family %s stays apart in every kind of colour vision', (_family, members) => {
    for (const [i, a] of members.entries()) {
      for (const b of members.slice(i + 1)) {
        if (BY_FORM.has(`${a} ${b}`)) continue;
        for (const vision of VISIONS)
          expect(distance(colour(a), colour(b), vision), `${a} ${b} ${vision}`).toBeGreaterThanOrEqual(
            MIN_DISTANCE - 0.05,
          );
      }
    }
  });
});
