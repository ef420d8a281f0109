import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const ROOT = new URL('../../../../renderer/', import.meta.url);
const files = readdirSync(ROOT, { recursive: true, encoding: 'utf8' }).filter(
  (name) => /\.(?:css|tsx?|html)$/.test(name) && !name.endsWith('tokens.css'),
);
const read = (name: string) => readFileSync(new URL(name, ROOT), 'utf8');
const NAMED = 'white|black|red|green|blue|yellow|orange|purple|gray|grey|silver|navy|teal|pink|brown';

/** Raw colours of a style sheet: hex, functions, names as values. `transparent` and `currentColor` are none. */
function rawColours(css: string): string[] {
  const code = css.replace(/\/\*[\s\S]*?\*\//g, '');
  const values = [...code.matchAll(/:\s*([^;{}]+);/g)].map((match) => (match[1] ?? '').replace(/url\([^)]*\)/g, ''));
  return values.flatMap(
    (value) =>
      value.match(
        new RegExp(
          `#[0-9a-fA-F]{3,8}\\b|\\b(?:rgba?|hsla?|oklch|lab|lch|hwb)\\(|(?<![\\w-])(?:${NAMED})(?![\\w-])`,
          'g',
        ),
      ) ?? [],
  );
}

describe('colours', () => {
  it('finds what it looks for', () => {
    expect(rawColours('a { color: #fff; b: rgb(1 2 3); c: 1px solid red; d: var(--red); e: transparent }')).toEqual([
      '#fff',
      'rgb(',
      'red',
    ]);
  });

  it.each(files.filter((name) => name.endsWith('.css')))('%s takes them from tokens.css', (name) => {
    expect(rawColours(read(name))).toEqual([]);
  });

  it.each(files.filter((name) => !name.endsWith('.css')))('%s has none in its code', (name) => {
    expect(read(name).match(/['"`]#[0-9a-fA-F]{6}['"`]|rgba?\(/g) ?? []).toEqual([]);
  });

  it('names only tokens that exist', () => {
    const known = new Set([...read('styles/tokens.css').matchAll(/--([\w-]+):/g)].map((match) => match[1]));
    // Sizes that a component gives its own style sheet.
    for (const name of files)
      for (const match of read(name).matchAll(/(?:'--([\w-]+)':|^\s*--([\w-]+):)/gm)) known.add(match[1] ?? match[2]);
    for (const name of files)
      for (const match of read(name).matchAll(/var\(--([\w-]+)/g))
        expect(known, `${name}: --${match[1]}`).toContain(match[1]);
  });
});

describe('the page', () => {
  it('has no inline script, style or handler, and loads nothing from elsewhere', () => {
    const html = read('index.html');
    expect(html).not.toMatch(/<style|style=|\son\w+=|https?:/);
    expect(html.match(/<script[^>]*>/g)).toEqual(['<script type="module" src="./main.tsx">']);
  });

  it.each(files.filter((name) => name.endsWith('.tsx')))('%s renders text as text', (name) => {
    expect(read(name)).not.toMatch(/dangerouslySetInnerHTML|innerHTML|insertAdjacentHTML|document\.write|href=/);
  });
});
