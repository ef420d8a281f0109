import { describe, expect, it } from 'vitest';
import { LEVELS } from '#shared/search/query.ts';
import {
  type FacetValue,
  facetTest,
  onlyFacet,
  toggleFacet,
  withoutTerm,
  withTerm,
} from '../../../../../renderer/viewmodels/logs/query-edit.ts';
import { queryPieces } from '../../../../../renderer/viewmodels/logs/query-pieces.ts';

const levels: readonly FacetValue[] = [...LEVELS, null];
const ranks: readonly FacetValue[] = [11, 4, 0, null];

describe('boxes beside the list', () => {
  it.each<[string, string, FacetValue, string]>([
    ['', 'level', 'info', '-level:info'],
    ['-level:info', 'level', 'info', ''],
    ['-level:info', 'level', 'debug', '-level:debug,info'],
    ['level>=warn', 'level', 'info', '-level:debug,none'],
    ['watchdog level>=warn', 'level', 'warn', 'watchdog level:error,fatal'],
    ['a OR b', 'level', null, '(a OR b) -level:none'],
  ])('%s: %s %s → %s', (query, _, value, result) => {
    expect(toggleFacet(query, { field: 'level', domain: levels, value })).toBe(result);
  });

  it('names ranks in runs, and lines without one', () => {
    expect(toggleFacet('', { field: 'rank', domain: ranks, value: null })).toBe('-rank:none');
    expect(onlyFacet('x', { field: 'rank', domain: ranks, value: 11 })).toBe('x rank:11');
    expect(onlyFacet('x rank:11', { field: 'rank', domain: ranks, value: 11 })).toBe('x');
    expect(toggleFacet('rank:11', { field: 'rank', domain: ranks, value: 4 })).toBe('-rank:0,none');
  });

  it('quotes names of Pods that a query would read otherwise', () => {
    const domain = ['a b', 'w-0'];
    expect(toggleFacet('', { field: 'pod', domain, value: 'a b' })).toBe('-pod:"a b"');
    expect(facetTest('-pod:"a b"', 'pod')('a b')).toBe(false);
    expect(facetTest('pod:w-*', 'pod')('w-0')).toBe(true);
  });

  it('leaves a query that is none as it is', () => {
    expect(toggleFacet('(', { field: 'level', domain: levels, value: 'info' })).toBe('(');
  });

  it('adds and drops terms', () => {
    expect(withTerm('', 'a')).toBe('a');
    expect(withTerm('a OR b', 'c')).toBe('(a OR b) c');
    expect(withoutTerm('a  rank:3 b', { at: 3, length: 6 })).toBe('a b');
  });
});

describe('the coloured text of a query', () => {
  it('joins to the text, and marks where it is wrong', () => {
    const text = 'rank:1 -x /a b/ (';
    const pieces = queryPieces(text, false, { at: 16, length: 1, expected: '' });
    expect(pieces.map((piece) => piece.text).join('')).toBe(text);
    expect(pieces.filter(({ wrong }) => wrong).map((piece) => piece.text)).toEqual(['(']);
    expect(queryPieces('rank:1 -x', false, null).map(({ text: part, kind }) => [part, kind])).toEqual([
      ['rank:', 'field'],
      ['1', 'value'],
      [' ', 'plain'],
      ['-', 'not'],
      ['x', 'text'],
    ]);
  });
});
