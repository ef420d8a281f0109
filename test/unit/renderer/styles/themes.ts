/** The colours of the token file, by theme. */
import { readFileSync } from 'node:fs';

/** Without comments, every run of white space one space: the file may be laid out as it likes. */
const css = readFileSync(new URL('../../../../renderer/styles/tokens.css', import.meta.url), 'utf8')
  .replace(/\/\*[\s\S]*?\*\//g, '')
  .replace(/\s+/g, ' ');

export type Theme = ReadonlyMap<string, string>;
/** `base`: what the theme does not say itself. */
function theme(selector: string, base: Theme = new Map()): Theme {
  const start = css.indexOf(`${selector} {`);
  if (start === -1) throw new Error(`no rule ${selector}`);
  const body = css.slice(start, css.indexOf('}', start));
  const own = [...body.matchAll(/--([\w-]+):\s*(#[0-9a-fA-F]{6})\s*;/g)].map((match): [string, string] => [
    match[1] ?? '',
    match[2] ?? '',
  ]);
  return new Map([...base, ...own]);
}
const dark = theme(':root, [data-theme="dark"]');
export const THEMES = {
  dark,
  light: theme('[data-theme="light"]', dark),
  'high-contrast': theme('[data-theme="high-contrast"]', dark),
};

/** Names that a theme gives a colour of its own, without what it takes over from the dark one. */
export const OWN: Readonly<Record<keyof typeof THEMES, ReadonlySet<string>>> = {
  dark: new Set(dark.keys()),
  light: new Set(theme('[data-theme="light"]').keys()),
  'high-contrast': new Set(theme('[data-theme="high-contrast"]').keys()),
};
