import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { CaseId } from '#shared/model/ids.ts';
import type { EntryRow, TextLine } from '#shared/rpc/contract.ts';
import { formatCount } from '#shared/text/format.ts';
import { Button } from '../../components/button.tsx';
import { EscapedText } from '../../components/escaped-text.tsx';
import { RowScroller, type RowScrollerHandle } from '../../components/row-scroller.tsx';
import { Empty, Failure } from '../../components/states.tsx';
import { useLines } from '../../data/chunks.ts';
import { selectStep, useNavigation } from '../../stores/navigation.ts';
import { keepScroll, keptScroll } from '../../stores/scroll-memory.ts';
import { escapePieces } from '../../viewmodels/escape-text.ts';
import type { Citation } from '../../viewmodels/file-rows.ts';
import { LONG_LINE_CHARACTERS, linePiece, ROW_CHARACTERS } from '../../viewmodels/raw-view.ts';
import * as scrollMap from '../../viewmodels/scroll-map.ts';
import { RPC_ERROR_WORDS } from '../../viewmodels/words.ts';
import { useRowHeight } from '../shell/use-row-height.ts';

interface TextViewProps {
  readonly caseId: CaseId;
  readonly entry: EntryRow;
  /** 1-based. */
  readonly selected: number | null;
  readonly citations: readonly Citation[];
  readonly onSelect: (line: number) => void;
  readonly onHex: (byte: number) => void;
  readonly onPlace: (place: string) => void;
}

/** Lines of a file of any size; the selected one in full below if it does not fit its row. */
export function TextView({ caseId, entry, selected, citations, onSelect, onHex, onPlace }: TextViewProps) {
  const source = useLines(caseId, entry.id);
  const total = source.totalLines ?? entry.lines ?? 0;
  const stepId = useNavigation((state) => selectStep(state).id);
  const scroller = useRef<RowScrollerHandle>(null);
  const rowPx = useRowHeight('log');
  const cited = useMemo(
    () => new Set(citations.flatMap(({ target }) => (target.kind === 'line' ? [target.line] : []))),
    [citations],
  );
  const wanted = selected === null ? null : Math.max(1, Math.min(selected, Math.max(1, total)));
  const initialRow = keptScroll(stepId, 'raw-text') ?? Math.max(0, (wanted ?? 1) - 1 - 6);
  const { want } = source;
  const onRows = useCallback(
    (from: number, to: number, first: number) => {
      want(from + 1, to + 1);
      keepScroll(stepId, 'raw-text', first);
    },
    [want, stepId],
  );
  // Who comes back finds the place that was scrolled to, with the line in sight or not.
  const restored = useRef(keptScroll(stepId, 'raw-text') !== undefined);
  useEffect(() => {
    if (wanted !== null && !restored.current) scroller.current?.show(wanted - 1);
    restored.current = false;
  }, [wanted]);
  useEffect(() => scroller.current?.focus(), []);
  const selectedLine = wanted === null ? undefined : source.line(wanted);
  useEffect(() => {
    onPlace(
      wanted === null
        ? `${formatCount(total)} lines`
        : `line ${formatCount(wanted)} of ${formatCount(total)}${selectedLine ? `, byte ${formatCount(selectedLine.byte)}` : ''}`,
    );
  }, [wanted, total, selectedLine, onPlace]);

  const onKeyDown = (event: React.KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const page = scroller.current?.visibleRows() ?? 1;
    const at = wanted ?? 0;
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, PageDown: at + page, PageUp: at - page, Home: 1, End: total }[
      event.key
    ];
    if (to === undefined) return;
    event.preventDefault();
    onSelect(Math.max(1, Math.min(to, total)));
  };

  if (source.error) {
    return (
      <div className="raw-state">
        <Failure title="This text cannot be shown" text={RPC_ERROR_WORDS[source.error.code]} />
      </div>
    );
  }
  if (source.totalLines === 0) return <Empty title="0 lines" text="The file has no text." />;
  return (
    <div className="raw-text" style={{ '--line-digits': String(total).length } as React.CSSProperties}>
      <RowScroller
        handle={scroller}
        className="mono"
        role="listbox"
        tabIndex={0}
        aria-label="Lines"
        aria-activedescendant={wanted === null ? undefined : `line-${wanted}`}
        count={total}
        rowPx={rowPx}
        initialRow={initialRow}
        keep={wanted === null ? null : wanted - 1}
        map={scrollMap}
        onRows={onRows}
        onKeyDown={onKeyDown}
        renderRow={(row) => (
          <Line
            number={row + 1}
            line={source.line(row + 1)}
            selected={row + 1 === wanted}
            cited={cited.has(row + 1)}
            onSelect={onSelect}
          />
        )}
      />
      {selectedLine && (selectedLine.cut || selectedLine.text.length > LONG_LINE_CHARACTERS) && (
        <LongLine key={selectedLine.line} line={selectedLine} onHex={onHex} />
      )}
    </div>
  );
}

interface LineProps {
  readonly number: number;
  readonly line: TextLine | undefined;
  readonly selected: boolean;
  readonly cited: boolean;
  readonly onSelect: (line: number) => void;
}

function Line({ number, line, selected, cited, onSelect }: LineProps) {
  const shown = line === undefined ? '' : line.text.slice(0, ROW_CHARACTERS);
  const rest = line === undefined ? 0 : line.text.length - shown.length;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list holds the focus and handles the keys
    <div
      id={`line-${number}`}
      className="raw-line"
      role="option"
      tabIndex={-1}
      aria-selected={selected}
      data-cited={cited}
      onClick={() => onSelect(number)}
    >
      <span className="raw-line-number">{number}</span>
      <span className="raw-line-text">{line === undefined ? ' ' : <EscapedText pieces={escapePieces(shown)} />}</span>
      {(rest > 0 || line?.cut) && (
        <span className="raw-line-more">
          {line?.cut ? 'long line, shown below in pieces' : `${formatCount(rest)} more characters`}
        </span>
      )}
    </div>
  );
}

/** A long line in full, wrapped; very long ones piece by piece, beyond 8 192 characters as bytes. */
function LongLine({ line, onHex }: { readonly line: TextLine; readonly onHex: (byte: number) => void }) {
  const [index, setIndex] = useState(0);
  const piece = linePiece(line.text, index);
  return (
    <div className="raw-piece">
      <div className="raw-piece-bar">
        <span>{`Line ${formatCount(line.line)}, ${piece.label}`}</span>
        {piece.count > 1 && (
          <>
            <Button kind="plain" aria-disabled={piece.index === 0} onClick={() => setIndex(piece.index - 1)}>
              Previous piece
            </Button>
            <Button
              kind="plain"
              aria-disabled={piece.index === piece.count - 1}
              onClick={() => setIndex(piece.index + 1)}
            >
              Next piece
            </Button>
          </>
        )}
        {line.cut && (
          <Button kind="plain" onClick={() => onHex(line.byte)}>
            Open the whole line as bytes
          </Button>
        )}
      </div>
      <div className="raw-piece-text mono">
        <EscapedText pieces={escapePieces(piece.text)} />
      </div>
    </div>
  );
}
