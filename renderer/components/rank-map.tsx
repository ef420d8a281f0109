import './rank-map.css';
import { useId } from 'react';
import { MiddleCut } from './middle-cut.tsx';

type CellState = 'first' | 'victim' | 'fine' | 'unknown';

interface MapCell {
  readonly rank: number;
  readonly state: CellState;
  readonly noDump: boolean;
  readonly x: number;
  readonly y: number;
  readonly title: string;
}

interface RankMapProps {
  readonly cells: readonly MapCell[];
  readonly pitch: number;
  readonly size: number;
  readonly width: number;
  readonly height: number;
  readonly numbered: boolean;
  readonly rowLabels: readonly { readonly text: string; readonly y: number }[];
  readonly summary: string;
}

/** All ranks at a glance: the first solid, those that wait tinted, no dump hatched. Numbers while cells can hold them. */
export function RankMap(props: RankMapProps) {
  const { width, height, pitch, rowLabels, summary } = props;
  return (
    <figure className="rank-map" aria-label={summary}>
      {rowLabels.length > 0 && (
        <div className="rank-map-labels" aria-hidden="true">
          {rowLabels.map((label) => (
            <span key={label.y} style={{ height: `${pitch / 16}rem` }}>
              <MiddleCut text={label.text} tail={8} />
            </span>
          ))}
        </div>
      )}
      <svg
        style={{ width: `${width / 16}rem`, height: `${height / 16}rem` }}
        viewBox={`0 0 ${width} ${height}`}
        role="img"
        aria-label={summary}
      >
        {props.numbered ? <NumberedCells {...props} /> : <PlainCells {...props} />}
      </svg>
    </figure>
  );
}

function NumberedCells({ cells, size }: RankMapProps) {
  const hatch = useId();
  return (
    <>
      <defs>
        <pattern id={hatch} width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <path className="map-hatch" d="M0 0v5" />
        </pattern>
      </defs>
      {cells.map((cell) => (
        <g
          key={cell.rank}
          className="map-cell"
          data-state={cell.state}
          data-no-dump={cell.noDump}
          transform={`translate(${cell.x} ${cell.y})`}
        >
          <title>{cell.title}</title>
          <rect x="0.5" y="0.5" width={size - 1} height={size - 1} rx="3" />
          {cell.noDump && cell.state !== 'first' && (
            <rect
              className="map-cell-edge"
              x="0.5"
              y="0.5"
              width={size - 1}
              height={size - 1}
              rx="3"
              style={{ fill: `url(#${hatch})` }}
            />
          )}
          <text x={size / 2} y={size / 2 + 4}>
            {cell.rank}
          </text>
        </g>
      ))}
    </>
  );
}

const STATES: readonly CellState[] = ['fine', 'unknown', 'victim', 'first'];

/** One path a state, so that thousands of cells are a handful of elements. The first ranks are drawn last and a little larger. */
function PlainCells({ cells, size }: RankMapProps) {
  return (
    <>
      {size >= 6 && <path className="map-cell-ground" d={squares(cells, size, 0)} />}
      {STATES.map((state) => (
        <path
          key={state}
          className="map-fill"
          data-state={state}
          d={squares(
            cells.filter((cell) => cell.state === state && !(cell.noDump && state !== 'first')),
            size,
            state === 'fine' && size >= 6 ? size / 4 : 0,
          )}
        />
      ))}
      <path
        className="map-fill"
        data-state="no-dump"
        d={squares(
          cells.filter((cell) => cell.noDump && cell.state !== 'first'),
          size,
          size >= 6 ? size / 4 : 0,
        )}
      />
      {size >= 6 && (
        <path
          className="map-edge"
          data-state="victim"
          d={squares(
            cells.filter((cell) => cell.state === 'victim'),
            size,
            0.5,
          )}
        />
      )}
      {size < 6 && (
        <path
          className="map-fill"
          data-state="first"
          d={marks(
            cells.filter((cell) => cell.state === 'first'),
            size,
          )}
        />
      )}
    </>
  );
}

function squares(cells: readonly MapCell[], size: number, inset: number): string {
  const side = size - 2 * inset;
  return cells.map((cell) => `M${cell.x + inset} ${cell.y + inset}h${side}v${side}h${-side}z`).join('');
}

/** A first rank of a px or two would be lost: it gets a mark of 6 px. */
function marks(cells: readonly MapCell[], size: number): string {
  return cells.map((cell) => `M${cell.x + size / 2 - 3} ${cell.y + size / 2 - 3}h6v6h-6z`).join('');
}
