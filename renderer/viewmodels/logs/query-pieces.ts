/** The text of a query in coloured pieces that join to it again, for drawing under the field. */
import { parseQuery, type QueryError } from '#shared/search/parse-query.ts';
import type { QueryToken } from '#shared/search/query-tokens.ts';

export interface QueryPiece {
  readonly text: string;
  readonly kind: QueryToken['kind'] | 'plain';
  readonly wrong: boolean;
}

export function queryPieces(text: string, regex: boolean, error: QueryError | null): readonly QueryPiece[] {
  if (text === '') return [];
  const parsed = regex ? null : parseQuery(text);
  const kinds: QueryPiece['kind'][] = Array.from({ length: text.length }, () => (regex ? 'regex' : 'plain'));
  if (parsed?.ok === true)
    for (const token of parsed.value.tokens) kinds.fill(token.kind, token.at, token.at + token.length);
  const from = error === null ? -1 : Math.min(error.at, text.length - 1);
  const to = error === null ? -1 : Math.max(from + 1, error.at + error.length);
  const pieces: QueryPiece[] = [];
  for (let at = 0; at < text.length; ) {
    const kind = kinds[at] ?? 'plain';
    const wrong = at >= from && at < to;
    let end = at + 1;
    while (end < text.length && kinds[end] === kind && (end >= from && end < to) === wrong) end += 1;
    pieces.push({ text: text.slice(at, end), kind, wrong });
    at = end;
  }
  return pieces;
}
