/** What canvases and plots draw with, in every theme: which colours lie side by side there, and whether everybody can tell them apart. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { contrast, distance, VISIONS } from './colour-maths.ts';
import { OWN, THEMES } from './themes.ts';

const source = (path: string): string => readFileSync(new URL(`../../../../renderer/${path}`, import.meta.url), 'utf8');
/** Tokens that `readPalette` reads. */
const READ = [...source('charts/palette.ts').matchAll(/'--([\w-]+)'/g)]
  .map((match) => match[1] ?? '')
  .filter((name) => !/^(?:text-scale|font-|weight-)/.test(name));

/** Series and cells that touch each other in one drawing. */
const SIDE_BY_SIDE: Readonly<Record<string, readonly string[]>> = {
  'lines by severity, errors over warnings over all': ['series-other', 'sev-warn', 'sev-error'],
  'ranks that wait, and the first fault': ['coll-running', 'role-first'],
  'cells of the map: first, failed, waits, never enqueued': [
    'role-first',
    'coll-failed',
    'coll-running',
    'coll-not-enqueued',
  ],
  'pixels of the lanes: first, victim, completed, failed': [
    'role-first',
    'role-victim',
    'coll-completed',
    'coll-failed',
  ],
};
/** Told apart by form as well: `first` has its row tinted, a mark in the gutter and a number; the fault line is a line through all strips. */
const BY_FORM = new Set(['role-first coll-failed']);
const MIN_DISTANCE = 11;

/** The mix of `share` of one colour over another. */
function over(top: string, below: string, share: number): string {
  const channel = (at: number): string => {
    const [a, b] = [Number.parseInt(top.slice(at, at + 2), 16), Number.parseInt(below.slice(at, at + 2), 16)];
    return Math.round(a * share + b * (1 - share))
      .toString(16)
      .padStart(2, '0');
  };
  return `#${channel(1)}${channel(3)}${channel(5)}`;
}

describe.each(Object.keys(THEMES) as (keyof typeof THEMES)[])('charts in %s', (name) => {
  const colour = (token: string): string => THEMES[name].get(token) ?? `no --${token}`;

  it('have every colour that they read, of this theme', () => {
    expect(READ.length).toBeGreaterThan(30);
    expect(READ.filter((token) => !OWN[name].has(token))).toEqual([]);
  });

  it.each(Object.entries(SIDE_BY_SIDE))('%s stay apart in every kind of colour vision', (_what, tokens) => {
    const close = tokens.flatMap((a, i) =>
      tokens
        .slice(i + 1)
        .flatMap((b) =>
          BY_FORM.has(`${a} ${b}`)
            ? []
            : VISIONS.map((vision) => ({ pair: `${a} ${b} ${vision}`, apart: distance(colour(a), colour(b), vision) })),
        ),
    );
    expect(close.filter(({ apart }) => apart < MIN_DISTANCE - 0.05)).toEqual([]);
  });

  it('scale a share of completed calls so that more is always further from the ground', () => {
    const ground = colour('surface-0');
    const steps = [0.1, 0.25, 0.4, 0.6, 0.95].map((share) =>
      contrast(over(colour('coll-completed'), ground, share), ground),
    );
    for (const [i, step] of steps.entries()) expect(step).toBeGreaterThan(i === 0 ? 1.05 : (steps[i - 1] ?? 0));
  });

  it('scale few to many on the map of ranks in the same way', () => {
    const match = /STEP_ALPHA[^=]*= \[([\d., ]+)\]/.exec(source('charts/rank-cell.ts'));
    const alphas = (match?.[1] ?? '').split(',').map(Number);
    expect(alphas).toHaveLength(5);
    const ground = colour('surface-2');
    const steps = alphas.map((alpha) => contrast(over(colour('series-1'), ground, alpha), ground));
    for (const [i, step] of steps.entries()) expect(step).toBeGreaterThan(i === 0 ? 1.05 : (steps[i - 1] ?? 0));
    expect(steps.at(-1)).toBeGreaterThanOrEqual(3);
  });
});
