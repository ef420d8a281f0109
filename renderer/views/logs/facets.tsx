import './facets.css';
import { useMemo } from 'react';
import type { LogCase, SearchState } from '#shared/rpc/areas/logs.ts';
import { formatCount, plural } from '#shared/text/format.ts';
import { type FacetRow, facetRows } from '../../viewmodels/logs/facet-rows.ts';
import { escapeLine } from '../../viewmodels/logs/line-rows.ts';
import { type FacetField, facetTest, onlyFacet, toggleFacet, withTerm } from '../../viewmodels/logs/query-edit.ts';

interface FacetsProps {
  readonly logCase: LogCase;
  readonly state: SearchState | null;
  readonly query: string;
  /** A query that is one expression has no terms that could be changed. */
  readonly fixed: boolean;
  readonly firstRanks: ReadonlySet<number>;
  readonly onQuery: (query: string) => void;
}

/** What the result consists of. Each box is a word of the query. */
export function Facets({ logCase, state, query, fixed, firstRanks, onQuery }: FacetsProps) {
  const facets = useMemo(() => facetRows(logCase, state, firstRanks), [logCase, state, firstRanks]);
  const partly = state !== null && state.status !== 'done' && !fixed;
  return (
    <div className="logs-facets" role="region" aria-label="Parts of the result" data-pane="facets">
      <Facet title="Level" field="level" rows={facets.levels} rest={null} {...{ query, fixed, partly, onQuery }} />
      <Facet
        title="Rank"
        field="rank"
        rows={facets.ranks}
        rest={facets.moreRanks}
        {...{ query, fixed, partly, onQuery }}
      />
      <Facet title="Pod" field="pod" rows={facets.pods} rest={facets.morePods} {...{ query, fixed, partly, onQuery }} />
      {state !== null && state.shapes.length > 0 && (
        <section className="logs-facet">
          <h2>Shape</h2>
          {state.shapes.slice(0, 6).map((shape) => (
            <button
              key={shape.sample}
              type="button"
              className="logs-shape"
              disabled={fixed}
              title={escapeLine(shape.sample)}
              onClick={() => onQuery(withTerm(query, shapeTerm(shape.sample)))}
            >
              <span className="cut">{escapeLine(shape.sample)}</span>
              <span>{formatCount(shape.lines)}</span>
            </button>
          ))}
          {state.shapes.length > 6 && (
            <p className="logs-facet-rest">{`${plural(state.shapes.length - 6, 'more shape')} or more`}</p>
          )}
        </section>
      )}
    </div>
  );
}

/** The longest part of a shape without numbers, as a phrase. */
function shapeTerm(sample: string): string {
  const [longest = ''] = sample.split('#').sort((a, b) => b.trim().length - a.trim().length);
  return `"${longest.trim().replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}

interface FacetProps {
  readonly title: string;
  readonly field: FacetField;
  readonly rows: readonly FacetRow[];
  readonly rest: string | null;
  readonly query: string;
  readonly fixed: boolean;
  readonly partly: boolean;
  readonly onQuery: (query: string) => void;
}

function Facet({ title, field, rows, rest, query, fixed, partly, onQuery }: FacetProps) {
  const domain = rows.map(({ value }) => value);
  const test = facetTest(fixed ? '' : query, field);
  const most = Math.max(1, ...rows.map(({ lines }) => lines));
  if (rows.length === 0) return null;
  const widest = Math.max(...rows.map(({ lines }) => formatCount(lines).length)) + (partly ? 2 : 0);
  return (
    <section className="logs-facet" style={{ '--facet-count': `${widest * 0.46 + 0.25}rem` } as React.CSSProperties}>
      <h2>{title}</h2>
      {rows.map((row) => {
        const on = test(row.value);
        return (
          <div key={String(row.value)} className="logs-facet-row" data-on={on}>
            <label>
              <input
                type="checkbox"
                checked={on}
                disabled={fixed}
                onChange={() => onQuery(toggleFacet(query, { field, domain, value: row.value }))}
              />
              <span className="logs-box" aria-hidden="true" />
              <span className="sr-only">{`${title} ${row.label}`}</span>
            </label>
            <button
              type="button"
              disabled={fixed}
              className="logs-facet-name cut"
              data-first={row.first}
              title={`Only ${row.label}`}
              onClick={() => onQuery(onlyFacet(query, { field, domain, value: row.value }))}
            >
              {row.label}
            </button>
            <span className="logs-facet-bar" aria-hidden="true">
              <span style={{ width: `${(row.lines / most) * 100}%` }} />
            </span>
            <span className="logs-facet-count">{`${partly && on ? '≥ ' : ''}${formatCount(row.lines)}`}</span>
          </div>
        );
      })}
      {rest !== null && <p className="logs-facet-rest">{rest}</p>}
    </section>
  );
}
