import { ChevronDown, ChevronRight, Star } from 'lucide-react';
import type { LineRow, LogFileInfo, LogRow } from '#shared/rpc/areas/logs.ts';
import type { Highlighter } from '#shared/search/highlight.ts';
import { formatCount } from '#shared/text/format.ts';
import { escapeText } from '../../viewmodels/escape-text.ts';
import {
  foldWords,
  gapWords,
  LEVEL_LETTER,
  LEVEL_WORD,
  linePieces,
  ON_REFERENCE,
  type OrderMark,
  orderAfter,
  rowTime,
  timeNote,
  UNKNOWN_BOUND,
} from '../../viewmodels/logs/line-rows.ts';

/** Characters of a line in its row; the rest is in the pane below. */
const ROW_CHARACTERS = 600;

export interface RowContext {
  readonly originNs: string;
  readonly files: readonly LogFileInfo[];
  readonly firstRanks: ReadonlySet<number>;
  readonly highlight: Highlighter;
  /** What the head says of all times. */
  readonly times: { readonly allRaw: boolean; readonly commonBound: string | null };
  /** True if every line is listed. */
  readonly all: boolean;
  readonly isStarred: (row: LineRow) => boolean;
  readonly onSelect: (index: number) => void;
  readonly onOpen: (index: number) => void;
  readonly onFold: (key: string) => void;
}

interface RowProps {
  readonly index: number;
  readonly row: LogRow | undefined;
  /** The line above, whatever stands between. */
  readonly before: LineRow | undefined;
  readonly selected: boolean;
  readonly context: RowContext;
}

export function Row({ index, row, before, selected, context }: RowProps) {
  const shared = {
    id: `log-row-${index}`,
    role: 'row',
    tabIndex: -1,
    'aria-rowindex': index + 1,
    'aria-selected': selected,
  } as const;
  if (row === undefined) return <div {...shared} className="log-row" data-loading="true" />;
  if (row.kind === 'gap') {
    return (
      <div {...shared} className="log-row log-gap">
        <span role="gridcell">{gapWords(row, context.all)}</span>
      </div>
    );
  }
  if (row.kind === 'fold') {
    return (
      // biome-ignore lint/a11y/useKeyWithClickEvents: the list holds the focus and handles the keys
      // biome-ignore lint/a11y/noStaticElementInteractions: it is a row of a grid
      <div {...shared} className="log-row" onClick={() => context.onSelect(index)}>
        <span role="gridcell" className="log-fold-words cut">
          {row.open ? (
            <ChevronDown className="icon-12" aria-hidden="true" />
          ) : (
            <ChevronRight className="icon-12" aria-hidden="true" />
          )}
          <span className="cut">{foldWords(row)}</span>
          <button
            type="button"
            tabIndex={-1}
            className="button"
            data-kind="link"
            onClick={(event) => {
              event.stopPropagation();
              context.onFold(row.key);
            }}
          >
            {row.open ? 'Fold' : 'Expand'}
          </button>
        </span>
      </div>
    );
  }
  return <Line {...shared} index={index} row={row} before={before} context={context} />;
}

interface LineProps {
  readonly id: string;
  readonly role: 'row';
  readonly tabIndex: number;
  readonly 'aria-rowindex': number;
  readonly 'aria-selected': boolean;
  readonly index: number;
  readonly row: LineRow;
  readonly before: LineRow | undefined;
  readonly context: RowContext;
}

function Line({ index, row, before, context, ...shared }: LineProps) {
  const file = context.files[row.file];
  const record = row.continues && before?.file === row.file && before.line === row.line - 1;
  const mark = record
    ? null
    : before === undefined
      ? row.timeNs === null
        ? null
        : 'certain'
      : orderAfter(before, row, context.files);
  const note = timeNote(row, file, context.times);
  // Said once for lines that follow each other; what is not known is said on each.
  const isQuiet =
    (note.startsWith('±') || note === ON_REFERENCE) &&
    note !== UNKNOWN_BOUND &&
    before !== undefined &&
    timeNote(before, context.files[before.file], context.times) === note;
  const source = row.pod ?? file?.node ?? file?.path ?? '';
  const first = row.rank !== null && context.firstRanks.has(row.rank);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list holds the focus and handles the keys
    // biome-ignore lint/a11y/noStaticElementInteractions: it is a row of a grid
    <div
      {...shared}
      className="log-row"
      data-record={record}
      data-folded={row.folded}
      data-level={row.level ?? 'none'}
      onClick={() => context.onSelect(index)}
      onDoubleClick={() => context.onOpen(index)}
    >
      <span role="gridcell" className="log-star">
        {context.isStarred(row) && <Star className="icon-12" fill="currentColor" aria-label="starred" />}
      </span>
      <span role="gridcell" className="log-order">
        {mark !== null && <OrderGlyph mark={mark} />}
      </span>
      <span role="gridcell" className="log-time">
        {record ? '' : rowTime(context.originNs, row.timeNs, row.resolutionNs)}
        {!record && note !== '' && <small data-same={isQuiet}>{note}</small>}
      </span>
      <span role="gridcell" className="log-rank" data-by={row.rankBy ?? undefined}>
        {record ? '' : row.rank === null ? '–' : first ? <strong>{row.rank}</strong> : row.rank}
      </span>
      <span role="gridcell" className="log-source cut" title={escapeText(file?.path ?? '')}>
        {record ? '' : escapeText(source)}
      </span>
      <span role="gridcell" className="log-level" data-level={row.level ?? 'none'}>
        {!record && row.level !== null && <abbr title={LEVEL_WORD[row.level]}>{LEVEL_LETTER[row.level]}</abbr>}
      </span>
      <span role="gridcell" className="log-text mono cut">
        {row.unreadable ? (
          <em>this part of the file cannot be read</em>
        ) : (
          <Pieces row={row} highlight={context.highlight} max={ROW_CHARACTERS} />
        )}
        {row.more > 0 && <small>{`${formatCount(row.more)} more bytes`}</small>}
      </span>
    </div>
  );
}

export function Pieces({
  row,
  highlight,
  max,
}: {
  readonly row: Pick<LineRow, 'text'>;
  readonly highlight: Highlighter;
  readonly max: number;
}) {
  return linePieces(row.text, highlight, max).map((piece, index) =>
    piece.hit || piece.escape ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one immutable text, in their order
      <span key={index} className={piece.hit ? 'log-hit' : 'escape'}>
        {piece.text}
      </span>
    ) : (
      piece.text
    ),
  );
}

const ORDER_WORD: Readonly<Record<OrderMark, string>> = {
  certain: 'after the line above',
  likely: 'likely after the line above',
  undecided: '≈ order to the line above is not determined',
};

/** Diamond: solid certain, half likely, dashed undecided. */
function OrderGlyph({ mark }: { readonly mark: OrderMark }) {
  return (
    <svg className="log-order-glyph" data-order={mark} viewBox="0 0 12 12" role="img" aria-label={ORDER_WORD[mark]}>
      <title>{ORDER_WORD[mark]}</title>
      <path
        className="log-order-edge"
        d="M6 1.2 10.8 6 6 10.8 1.2 6z"
        strokeDasharray={mark === 'undecided' ? '2 1.4' : undefined}
      />
      {mark === 'certain' && <path className="log-order-fill" d="M6 1.2 10.8 6 6 10.8 1.2 6z" />}
      {mark === 'likely' && <path className="log-order-fill" d="M6 1.2V10.8L1.2 6z" />}
    </svg>
  );
}
