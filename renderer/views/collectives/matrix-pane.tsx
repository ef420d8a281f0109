import './matrix-pane.css';
import { type KeyboardEvent, type PointerEvent, useEffect, useMemo, useRef, useState } from 'react';
import { CELL_STATES } from '#shared/model/divergence-table.ts';
import type { CaseId } from '#shared/model/ids.ts';
import { plural } from '#shared/text/format.ts';
import { type JobAnswer, MATRIX_DEVIATES, type MatrixAnswer } from '#shared/views/collectives/answers.ts';
import { Empty, Failure, Skeleton } from '../../components/states.tsx';
import { useQuery } from '../../data/query.ts';
import { usePreferences } from '../../stores/preferences.ts';
import { STATE_WORDS } from '../../viewmodels/collectives/cells.ts';
import { cellSize, matrixPixels, parseColour } from '../../viewmodels/collectives/matrix.ts';
import { RPC_ERROR_WORDS } from '../../viewmodels/words.ts';

interface MatrixPaneProps {
  readonly caseId: CaseId;
  readonly group: string;
  readonly job: JobAnswer;
  /** The call to look at in the table. */
  readonly onOpen: (seq: number) => void;
}

const MOST_COLUMNS = 4096;
const GUTTER_PX = 58;
const HEAD_PX = 24;
/** Px between two labels of an axis. */
const RANK_LABEL_PX = 40;
const CALL_LABEL_PX = 84;

/** All ranks × calls of a group as a picture; V shows the same as a table. */
export function MatrixPane({ caseId, group, job, onOpen }: MatrixPaneProps) {
  const query = useQuery('collectives.matrix', { caseId, group, from: 0, columns: MOST_COLUMNS });
  if (query.state === 'loading') return <Skeleton words="Drawing ranks by calls" />;
  if (query.state === 'failed')
    return <Failure title="The picture cannot be drawn" text={RPC_ERROR_WORDS[query.error.code]} />;
  if (query.value === null || query.value.seqs.length === 0)
    return <Empty title="0 calls recorded" text="No member holds a record of a call in this group." />;
  return <Picture answer={query.value} job={job} onOpen={onOpen} />;
}

interface Spot {
  readonly row: number;
  readonly column: number;
}

function Picture({
  answer,
  job,
  onOpen,
}: {
  readonly answer: MatrixAnswer;
  readonly job: JobAnswer;
  readonly onOpen: (seq: number) => void;
}) {
  const box = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const theme = usePreferences((state) => state.theme);
  const [spot, setSpot] = useState<Spot | null>(null);
  const [size, setSize] = useState({ x: 1, y: 1 });
  const firstRanks = useMemo(() => new Set(job.story.firstRanks), [job]);
  const [columns, rows] = [answer.seqs.length, answer.ranks.length];
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    const measure = (): void =>
      setSize(cellSize(element.clientWidth - GUTTER_PX, element.clientHeight - HEAD_PX, columns, rows));
    const watch = new ResizeObserver(measure);
    watch.observe(element);
    measure();
    return () => watch.disconnect();
  }, [columns, rows]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: colours are read again when the theme changes
  useEffect(() => {
    const element = canvas.current;
    const context = element?.getContext('2d');
    if (element === null || context === null || context === undefined) return;
    const style = getComputedStyle(element);
    const pixels = matrixPixels(answer, firstRanks, { of: (token) => parseColour(style.getPropertyValue(token)) });
    context.putImageData(new ImageData(pixels, columns, rows), 0, 0);
  }, [answer, firstRanks, theme, columns, rows]);
  const spotOf = (event: PointerEvent): Spot => {
    const frame = event.currentTarget.getBoundingClientRect();
    return {
      row: clamp(Math.floor((event.clientY - frame.top) / size.y), rows),
      column: clamp(Math.floor((event.clientX - frame.left) / size.x), columns),
    };
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const at = spot ?? { row: 0, column: columns - 1 };
    const moves: Readonly<Record<string, Spot>> = {
      ArrowLeft: { ...at, column: at.column - 1 },
      ArrowRight: { ...at, column: at.column + 1 },
      ArrowUp: { ...at, row: at.row - 1 },
      ArrowDown: { ...at, row: at.row + 1 },
      Home: { ...at, column: 0 },
      End: { ...at, column: columns - 1 },
    };
    const next = moves[event.key];
    if (event.altKey || event.ctrlKey) return;
    if (next !== undefined) setSpot({ row: clamp(next.row, rows), column: clamp(next.column, columns) });
    else if (event.key === 'Enter') onOpen(answer.seqs[at.column] ?? 0);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div className="matrix">
      <div
        ref={box}
        className="matrix-box"
        role="application"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: an application is operated by keys
        tabIndex={0}
        aria-label={`Ranks by calls: ${plural(rows, 'rank')}, ${plural(columns, 'call')}. Arrow keys move, Enter opens the call in the table, V shows the table.`}
        data-pane="calls"
        onKeyDown={onKeyDown}
      >
        <Axes answer={answer} size={size} firstRanks={firstRanks} />
        <div className="matrix-sheet" style={{ width: columns * size.x, height: rows * size.y }}>
          <canvas
            ref={canvas}
            width={columns}
            height={rows}
            style={{ width: columns * size.x, height: rows * size.y }}
            onPointerMove={(event) => setSpot(spotOf(event))}
            onPointerUp={(event) => onOpen(answer.seqs[spotOf(event).column] ?? 0)}
          />
          {spot !== null && (
            <div
              className="matrix-spot"
              style={{
                transform: `translate(${spot.column * size.x}px, ${spot.row * size.y}px)`,
                width: Math.max(3, size.x),
                height: Math.max(3, size.y),
              }}
            />
          )}
        </div>
      </div>
      <MatrixLegend />
      <div className="matrix-foot" role="status" aria-live="polite">
        <strong>{spot === null ? spanText(answer) : spotText(answer, spot)}</strong>
        <span className="quiet">
          {`rows are ranks, columns are calls${answer.totalColumns > columns ? `; the first ${columns} of ${answer.totalColumns} calls` : ''}; V shows the table`}
        </span>
      </div>
    </div>
  );
}

interface AxesProps {
  readonly answer: MatrixAnswer;
  readonly size: { readonly x: number; readonly y: number };
  readonly firstRanks: ReadonlySet<number>;
}

/** Ranks at the left, calls on top; a red mark for each rank that the verdict names, so that one row in thousands is seen. */
function Axes({ answer, size, firstRanks }: AxesProps) {
  const rankStep = Math.max(1, Math.ceil(RANK_LABEL_PX / size.y));
  const callStep = Math.max(1, Math.ceil(CALL_LABEL_PX / size.x));
  return (
    <div className="matrix-axes" aria-hidden="true">
      {Array.from({ length: Math.ceil(answer.ranks.length / rankStep) }, (_, i) => i * rankStep).map((row) => (
        <span
          key={`r${row}`}
          className="matrix-rank tabular"
          style={{ transform: `translateY(${HEAD_PX + row * size.y}px)` }}
        >
          {answer.ranks[row]}
        </span>
      ))}
      {Array.from({ length: Math.ceil(answer.seqs.length / callStep) }, (_, i) => i * callStep).map((column) => (
        <span
          key={`c${column}`}
          className="matrix-call tabular"
          style={{ transform: `translateX(${GUTTER_PX + column * size.x}px)` }}
        >
          {answer.seqs[column]}
        </span>
      ))}
      {[...answer.ranks].map((rank, row) =>
        firstRanks.has(rank) ? (
          <span
            key={`f${rank}`}
            className="matrix-first"
            style={{ transform: `translateY(${HEAD_PX + row * size.y}px)`, height: Math.max(3, size.y) }}
          />
        ) : null,
      )}
    </div>
  );
}

const SWATCHES = [
  ['completed', 'completed'],
  ['running', 'waiting'],
  ['enqueued', 'enqueued'],
  ['apart', 'another call, or never enqueued'],
  ['first', 'the same, first rank'],
  ['missing', 'no dump or not held'],
] as const;

function MatrixLegend() {
  return (
    <div className="legend">
      {SWATCHES.map(([name, word]) => (
        <span key={name}>
          <span className="matrix-swatch" data-swatch={name} />
          {word}
        </span>
      ))}
    </div>
  );
}

const clamp = (value: number, count: number): number => Math.max(0, Math.min(count - 1, value));

const spanText = (answer: MatrixAnswer): string =>
  `${plural(answer.ranks.length, 'rank')} × ${plural(answer.seqs.length, 'call')}, #${answer.seqs[0]} to #${answer.seqs.at(-1)}`;

function spotText(answer: MatrixAnswer, { row, column }: Spot): string {
  const cell = answer.cells[row * answer.seqs.length + column] ?? 0;
  const word = STATE_WORDS[CELL_STATES[cell % MATRIX_DEVIATES] ?? 'unknown'];
  return `rank ${answer.ranks[row]}, call #${answer.seqs[column]}: ${word}${cell >= MATRIX_DEVIATES ? ', another call than most' : ''}`;
}
