import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runRule } from '#shared/analysis/conclude.ts';
import { RULES } from '#shared/analysis/rules/index.ts';
import { FORMATS } from '#shared/formats/index.ts';
import { CAUSES_HELP } from '#shared/help/causes.ts';
import { helpPages, pageOfRule, searchHelp } from '#shared/help/index.ts';
import { CAUSES } from '#shared/model/finding.ts';
import { buildFacts } from '../../../rules/build-facts.ts';

const pages = helpPages();
const RULE_CASES = join(import.meta.dirname, '../../../rules');

describe('help', () => {
  it('has a page for every rule, with its argument and its remedy', () => {
    for (const rule of RULES) {
      const page = pageOfRule(pages, rule.id);
      expect(page, rule.id).toBeDefined();
      const [argument, remedy] = page?.sections ?? [];
      const flat = (text: string | undefined) => text?.replace(/\s+/g, ' ').trim();
      expect(flat(argument?.text)).toBe(flat(rule.explain));
      expect(flat(remedy?.text)).toBe(flat(rule.remedy));
      expect(page?.lead.length, rule.id).toBeGreaterThan(20);
    }
  });

  it('tells of every rule what it means, how sure it is, when it can be wrong and what to do', () => {
    for (const rule of RULES) {
      const page = pageOfRule(pages, rule.id);
      const text = page?.sections[0]?.text ?? '';
      expect(text, rule.id).toMatch(/How sure/);
      expect(text, rule.id).toMatch(/can be wrong/);
      expect(page?.sections[1]?.text.length, rule.id).toBeGreaterThan(20);
      // The argument comes before what it is worth.
      expect(text.indexOf('How sure'), rule.id).toBeGreaterThan(100);
    }
  });

  it('has a page for every cause, and each cause has a rule', () => {
    for (const cause of CAUSES) {
      expect(pages.some(({ id }) => id === `cause/${cause}`)).toBe(true);
      expect(CAUSES_HELP[cause].rules.length, cause).toBeGreaterThan(0);
    }
  });

  it('knows each cause that a rule was seen to name', () => {
    for (const rule of RULES) {
      const folder = join(RULE_CASES, rule.id);
      for (const name of readdirSync(folder)) {
        const facts = buildFacts(JSON.parse(readFileSync(join(folder, name, 'facts.json'), 'utf8')));
        for (const { cause } of runRule(rule, facts))
          expect(CAUSES_HELP[cause].rules, `${cause} by ${rule.id}/${name}`).toContain(rule.id);
      }
    }
  });

  it('names no rule or page that does not exist, and no id twice', () => {
    const ids = pages.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const page of pages) for (const id of page.seeAlso) expect(ids, `${page.id} → ${id}`).toContain(id);
    for (const cause of CAUSES) for (const rule of CAUSES_HELP[cause].rules) expect(ids).toContain(`rule/${rule}`);
  });

  it('tells every kind of file', () => {
    const text =
      pages
        .find(({ id }) => id === 'topic/file-kinds')
        ?.sections.map((one) => one.text)
        .join('\n') ?? '';
    for (const { title } of FORMATS)
      expect(text.includes(`**${title}**`), `a line about "${title}" in shared/help/topics/files.ts`).toBe(true);
  });

  it('shows the keys that the window gives', () => {
    const [page] = helpPages([{ keys: 'Ctrl K', does: 'opens the command palette' }]).filter(
      ({ id }) => id === 'topic/keyboard',
    );
    expect(page?.sections[0]?.text).toBe('- `Ctrl K`: opens the command palette');
  });
});

describe('searching', () => {
  it.each([
    ['xid', 'rule/gpu-xid'],
    ['137', 'topic/exit-statuses'],
    ['py-spy', 'topic/collecting'],
    ['lease offset', 'topic/clocks'],
    ['peer access', 'rule/peer-access'],
    ['oomkilled', 'topic/exit-statuses'],
  ])('%s finds %s among the first three', (query, id) => {
    expect(
      searchHelp(pages, query)
        .slice(0, 3)
        .map((page) => page.id),
    ).toContain(id);
  });

  it('takes no word for a pattern, and finds nothing where a word is nowhere', () => {
    expect(searchHelp(pages, '.* (')).toEqual([]);
    expect(searchHelp(pages, 'xid zebra')).toEqual([]);
    expect(searchHelp(pages, '  ')).toHaveLength(pages.length);
  });
});
