import { describe, expect, it } from 'vitest';
import { ENTRY_STATUSES } from '#shared/model/entry.ts';
import { CAUSES, OUTCOMES, STAGES, STATUSES } from '#shared/model/finding.ts';
import { ISSUE_CODES } from '#shared/model/issue.ts';
import { ENTRY_STATUS_WORD, GAP_STATE_WORD } from '#shared/text/entry-text.ts';
import { formatBytes, formatCount, formatDurationMs, plural, shortenHash } from '#shared/text/format.ts';
import { issueText } from '#shared/text/issue-text.ts';
import { CAUSE_WORD, OUTCOME_WORD, STAGE_WORD, STATUS_MEANING, STATUS_WORD } from '#shared/text/verdict-text.ts';

describe('every code has its words', () => {
  it.each(ISSUE_CODES)('issue %s', (code) => {
    expect(issueText(code, '')).toMatch(/^[A-Z].{10,}\.$/);
    expect(issueText(code, 'at byte 7')).toBe(`${issueText(code, '')} (at byte 7)`);
  });

  it('has no two issues with the same sentence', () => {
    const sentences = ISSUE_CODES.map((code) => issueText(code, ''));
    expect(new Set(sentences).size).toBe(sentences.length);
  });

  it.each(STATUSES)('status %s', (code) => {
    expect(STATUS_WORD[code]).toMatch(/^[A-Z]/);
    expect(STATUS_MEANING[code]).toMatch(/\.$/);
  });
  it.each(OUTCOMES)('outcome %s', (code) => expect(OUTCOME_WORD[code].length).toBeGreaterThan(5));
  it.each(STAGES)('stage %s', (code) => expect(STAGE_WORD[code].length).toBeGreaterThan(3));
  it.each(CAUSES)('cause %s', (code) => expect(CAUSE_WORD[code].length).toBeGreaterThan(3));
  it.each(ENTRY_STATUSES)('file status %s', (code) => expect(ENTRY_STATUS_WORD[code].length).toBeGreaterThan(2));
  it.each(['present', 'partial', 'unreadable', 'absent', 'not-collected'] as const)('gap state %s', (state) =>
    expect(GAP_STATE_WORD[state].length).toBeGreaterThan(2),
  );
});

describe('numbers', () => {
  it.each([
    [0, '0'],
    [999, '999'],
    [1000, '1\u2009000'],
    [1234567, '1\u2009234\u2009567'],
  ])('%d → %s', (value, text) => expect(formatCount(value)).toBe(text));

  it.each([
    [1, '1 file'],
    [0, '0 files'],
    [2000, '2\u2009000 files'],
  ])('%d → %s', (count, text) => expect(plural(count, 'file')).toBe(text));

  it.each([
    [0, '0 B'],
    [1023, '1023 B'],
    [1536, '1.5 KiB'],
    [1024 ** 2 - 40, '1.0 MiB'],
    [5 * 1024 ** 3, '5.0 GiB'],
    [3 * 1024 ** 5, '3072.0 TiB'],
  ])('%d bytes → %s', (bytes, text) => expect(formatBytes(bytes)).toBe(text));

  it.each([
    [0, '0 ms'],
    [850, '850 ms'],
    [15_000, '15 s'],
    [1_204, '1.2 s'],
    [682_000, '11 m 22 s'],
    [7_380_000, '2 h 3 m'],
    [-1_500, '−1.5 s'],
    [999.6, '1.0 s'],
    [59_970, '1 m 0 s'],
    [3_599_600, '1 h 0 m'],
  ])('%d ms → %s', (ms, text) => expect(formatDurationMs(ms)).toBe(text));

  it('shortens a hash in its middle and leaves short text alone', () => {
    expect(shortenHash('3fa9c1d2e4f50617')).toBe('3fa9c1d2…0617');
    expect(shortenHash('abc')).toBe('abc');
  });
});
