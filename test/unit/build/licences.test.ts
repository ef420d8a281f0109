import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { LICENCES_FILE, licencesText } from '../../../build/scripts/licences.ts';

describe('licences of others', () => {
  it('are those of the installed packages (else: node build/scripts/licences.ts)', () => {
    expect(readFileSync(LICENCES_FILE, 'utf8')).toBe(licencesText());
  });

  it('name what the product is made of, fonts included, and no tool', () => {
    const text = licencesText();
    for (const name of ['react', 'uplot', 'better-sqlite3', '@fontsource-variable/inter', 'yauzl', 'js-yaml'])
      expect(text).toMatch(new RegExp(`^${name.replaceAll('/', '\\/')} \\d`, 'm'));
    expect(text).toContain('SIL OPEN FONT LICENSE');
    expect(text).not.toMatch(/^(?:vite|typescript|electron-builder) \d/m);
  });
});
