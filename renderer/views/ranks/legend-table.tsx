import { formatCount } from '#shared/text/format.ts';
import { Button } from '../../components/button.tsx';
import { RankChip } from '../../components/rank-chip.tsx';
import { copyText } from '../../data/clipboard.ts';
import { useSelection } from '../../stores/selection.ts';
import type { LegendRow } from '../../viewmodels/ranks/legend.ts';
import { CellGlyph } from './cell-glyph.tsx';

interface LegendTableProps {
  readonly rows: readonly LegendRow[];
  readonly total: number;
  readonly title: string;
  readonly timeText: (at: number) => string;
}

/** Legend and count in one; a row narrows the whole case to its ranks. */
export function LegendTable({ rows, total, title, timeText }: LegendTableProps) {
  const chosen = useSelection((state) => state.ranks);
  const since = (row: LegendRow): string => (Number.isNaN(row.sinceNs) ? '' : timeText(row.sinceNs));
  const text = (): string =>
    [
      ['State', 'Ranks', 'Which', 'Since', 'Bound', 'Call', ''],
      ...rows.map((row) => [
        row.state,
        String(row.ranks.length),
        row.which,
        since(row),
        row.sinceNote,
        row.call,
        row.end,
      ]),
    ]
      .map((cells) => cells.join('\t'))
      .join('\n');
  return (
    <section className="ranks-legend" aria-label="Counts">
      <div role="grid" tabIndex={-1} aria-label={`Ranks by ${title}`} aria-rowcount={rows.length + 1}>
        <div className="ranks-legend-row ranks-legend-head" role="row">
          <span role="columnheader" aria-label="Mark" />
          <span role="columnheader">{title}</span>
          <span role="columnheader" className="numeric">
            Ranks
          </span>
          <span role="columnheader">Which</span>
          <span role="columnheader">Since</span>
          <span role="columnheader">Call</span>
          <span role="columnheader" className="ranks-legend-copy">
            <Button kind="link" onClick={() => copyText(text())} title={`${formatCount(total)} ranks in all`}>
              Copy as text
            </Button>
          </span>
        </div>
        {rows.map((row) => (
          <div
            key={row.key}
            role="row"
            className="ranks-legend-row"
            data-look={row.look}
            aria-selected={chosen.length > 0 && chosen.length === row.ranks.length && chosen[0] === row.ranks[0]}
          >
            <span role="gridcell">
              <CellGlyph look={row.look} />
            </span>
            <span role="gridcell">
              <button
                type="button"
                className="ranks-legend-pick"
                onClick={() => pick(row.ranks)}
                title="Narrow all views to these ranks"
              >
                {row.state}
              </button>
            </span>
            <span role="gridcell" className="numeric tabular" data-testid="legend-count">
              {formatCount(row.ranks.length)}
            </span>
            <span role="gridcell" className="cut" title={row.which}>
              {row.look === 'first' && row.ranks.length <= 2
                ? row.ranks.map((rank) => <RankChip key={rank} look="first" label={`rank ${rank}`} />)
                : row.which}
            </span>
            <span role="gridcell" className="tabular cut">
              {since(row)} <span className="quiet">{row.sinceNote}</span>
            </span>
            <span role="gridcell" className="cut" title={row.call}>
              {row.call}
            </span>
            <span role="gridcell" className="cut" data-tone={row.endTone} title={row.end}>
              {row.end}
            </span>
          </div>
        ))}
      </div>
    </section>
  );
}

/** The same row again brings all ranks back. */
function pick(ranks: readonly number[]): void {
  const { ranks: known, setRanks } = useSelection.getState();
  const same = known.length === ranks.length && known.every((rank, i) => rank === ranks[i]);
  setRanks(same ? [] : ranks);
}
