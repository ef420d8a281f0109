import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runRule } from '#shared/analysis/conclude.ts';
import { RULES } from '#shared/analysis/rules/index.ts';
import { CAUSES, type Finding, STAGES } from '#shared/model/finding.ts';
import { buildFacts, type ShortFacts } from './build-facts.ts';

const HERE = import.meta.dirname;

interface Case {
  readonly name: string;
  readonly facts: ShortFacts;
  readonly expected: readonly Partial<Finding>[];
}

function casesOf(rule: string): Case[] {
  const folder = join(HERE, rule);
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => ({
      name: entry.name,
      facts: JSON.parse(readFileSync(join(folder, entry.name, 'facts.json'), 'utf8')) as ShortFacts,
      expected: JSON.parse(readFileSync(join(folder, entry.name, 'expected.json'), 'utf8')) as Partial<Finding>[],
    }));
}

describe.each(RULES.map((rule) => [rule.id, rule] as const))('%s', (id, rule) => {
  const cases = casesOf(id);

  it('has a case that fires and a near miss', () => {
    expect(
      cases.some((one) => one.expected.length > 0),
      'a firing case',
    ).toBe(true);
    expect(
      cases.some((one) => one.expected.length === 0),
      'a near miss',
    ).toBe(true);
  });

  it.each(cases.map((one) => [one.name, one] as const))('%s', (_name, { facts, expected }) => {
    const found = runRule(rule, buildFacts(facts));
    expect(found.map((finding) => pick(finding, expected))).toEqual(expected);
    for (const finding of found) expectSound(finding);
  });

  it('gives the same findings twice, and says nothing about an empty bundle', () => {
    for (const one of cases) expect(runRule(rule, buildFacts(one.facts))).toEqual(runRule(rule, buildFacts(one.facts)));
    expect(runRule(rule, buildFacts({}))).toEqual([]);
  });

  it('does not depend on the order of events', () => {
    for (const one of cases) {
      const facts = buildFacts(one.facts);
      const turned = { ...facts, events: [...facts.events].reverse() };
      const names = (list: readonly Finding[]) =>
        list
          .map((finding) => `${finding.outcome} ${finding.firstRanks.join()} ${finding.cause} ${finding.status}`)
          .sort();
      expect(names(runRule(rule, turned))).toEqual(names(runRule(rule, facts)));
    }
  });

  it('carries its argument and its remedy', () => {
    expect(rule.explain.trim().length).toBeGreaterThan(200);
    expect(rule.remedy.trim().length).toBeGreaterThan(40);
    expect(rule.title.length).toBeGreaterThan(10);
  });
});

/** Compares only the fields that the case states. */
function pick(finding: Finding, expected: readonly Partial<Finding>[]): Partial<Finding> {
  const keys = new Set(expected.flatMap((one) => Object.keys(one)));
  return Object.fromEntries(Object.entries(finding).filter(([key, value]) => keys.has(key) && value !== undefined));
}

function expectSound(finding: Finding): void {
  expect(finding.summary).not.toMatch(/undefined|NaN|\[object/);
  expect(finding.because.length, 'evidence').toBeGreaterThan(0);
  expect(finding.because.length).toBeLessThanOrEqual(8);
  expect(finding.against.length).toBeLessThanOrEqual(5);
  for (const item of [...finding.because, ...finding.against]) {
    expect(item.text.trim()).not.toBe('');
    expect(item.text).not.toMatch(/undefined|NaN|\[object/);
    expect(item.source.entry).toBeGreaterThanOrEqual(0);
  }
  expect([...finding.firstRanks]).toEqual([...finding.firstRanks].sort((a, b) => a - b));
  expect(finding.symptomRanks.filter((rank) => finding.firstRanks.includes(rank))).toEqual([]);
  expect(STAGES).toContain(finding.stage);
  expect(CAUSES).toContain(finding.cause);
  if (finding.outcome === 'named') expect(finding.firstRanks.length).toBeGreaterThan(0);
  if (finding.outcome === 'group')
    expect(finding.firstRanks.length > 0 || finding.pod !== undefined || finding.node !== undefined).toBe(true);
  if (finding.outcome === 'cannot-tell' || finding.outcome === 'no-failure' || finding.outcome === 'no-rank')
    expect(finding.firstRanks).toEqual([]);
}
