import { useCallback, useEffect, useRef } from 'react';
import type { CaseId } from '#shared/model/ids.ts';
import type { EntryRow } from '#shared/rpc/contract.ts';
import { formatCount } from '#shared/text/format.ts';
import { RowScroller, type RowScrollerHandle } from '../../components/row-scroller.tsx';
import { Empty, Failure } from '../../components/states.tsx';
import { useBytes } from '../../data/chunks.ts';
import { selectStep, useNavigation } from '../../stores/navigation.ts';
import { keepScroll, keptScroll } from '../../stores/scroll-memory.ts';
import { HEX_ROW_BYTES, type HexCell, hexRow } from '../../viewmodels/hex-rows.ts';
import * as scrollMap from '../../viewmodels/scroll-map.ts';
import { RPC_ERROR_WORDS } from '../../viewmodels/words.ts';
import { useRowHeight } from '../shell/use-row-height.ts';

interface HexViewProps {
  readonly caseId: CaseId;
  readonly entry: EntryRow;
  readonly selected: number | null;
  readonly onSelect: (byte: number) => void;
  readonly onPlace: (place: string) => void;
}

/** Bytes of a file of any size. */
export function HexView({ caseId, entry, selected, onSelect, onPlace }: HexViewProps) {
  const source = useBytes(caseId, entry.id);
  const stepId = useNavigation((state) => selectStep(state).id);
  const scroller = useRef<RowScrollerHandle>(null);
  const rowPx = useRowHeight('log');
  const wanted = selected === null ? null : Math.max(0, Math.min(selected, Math.max(0, entry.bytes - 1)));
  const count = Math.ceil(entry.bytes / HEX_ROW_BYTES);
  const { want } = source;
  const onRows = useCallback(
    (from: number, to: number, first: number) => {
      want(from * HEX_ROW_BYTES, to * HEX_ROW_BYTES);
      keepScroll(stepId, 'raw-hex', first);
    },
    [want, stepId],
  );
  const restored = useRef(keptScroll(stepId, 'raw-hex') !== undefined);
  useEffect(() => {
    if (wanted !== null && !restored.current) scroller.current?.show(Math.floor(wanted / HEX_ROW_BYTES));
    restored.current = false;
  }, [wanted]);
  useEffect(() => scroller.current?.focus(), []);
  useEffect(() => {
    onPlace(
      wanted === null
        ? `${formatCount(entry.bytes)} bytes`
        : `byte ${formatCount(wanted)} of ${formatCount(entry.bytes)}`,
    );
  }, [wanted, entry.bytes, onPlace]);

  const onKeyDown = (event: React.KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const page = (scroller.current?.visibleRows() ?? 1) * HEX_ROW_BYTES;
    const at = wanted ?? 0;
    const to = {
      ArrowRight: at + 1,
      ArrowLeft: at - 1,
      ArrowDown: at + HEX_ROW_BYTES,
      ArrowUp: at - HEX_ROW_BYTES,
      PageDown: at + page,
      PageUp: at - page,
      Home: 0,
      End: entry.bytes - 1,
    }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    onSelect(Math.max(0, Math.min(to, entry.bytes - 1)));
  };

  if (source.error) {
    return (
      <div className="raw-state">
        <Failure title="These bytes cannot be shown" text={RPC_ERROR_WORDS[source.error.code]} />
      </div>
    );
  }
  if (entry.bytes === 0) return <Empty title="0 bytes" text="The file is empty." />;
  return (
    <RowScroller
      handle={scroller}
      className="mono"
      role="listbox"
      tabIndex={0}
      aria-label="Bytes"
      aria-activedescendant={wanted === null ? undefined : `hex-${Math.floor(wanted / HEX_ROW_BYTES)}`}
      count={count}
      rowPx={rowPx}
      initialRow={keptScroll(stepId, 'raw-hex') ?? Math.max(0, Math.floor((wanted ?? 0) / HEX_ROW_BYTES) - 4)}
      keep={wanted === null ? null : Math.floor(wanted / HEX_ROW_BYTES)}
      map={scrollMap}
      onRows={onRows}
      onKeyDown={onKeyDown}
      renderRow={(row) => {
        const held = source.at(row * HEX_ROW_BYTES);
        return (
          <Row row={row} from={held?.from ?? 0} bytes={held?.bytes ?? NO_BYTES} selected={wanted} onSelect={onSelect} />
        );
      }}
    />
  );
}

const NO_BYTES = new Uint8Array();

function Row({
  row,
  from,
  bytes,
  selected,
  onSelect,
}: {
  readonly row: number;
  readonly from: number;
  readonly bytes: Uint8Array;
  readonly selected: number | null;
  readonly onSelect: (byte: number) => void;
}) {
  const { offset, cells } = hexRow(row, from, bytes);
  const start = row * HEX_ROW_BYTES;
  const inRow = selected !== null && selected >= start && selected < start + HEX_ROW_BYTES;
  const at = inRow && selected !== null ? selected - start : -1;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list holds the focus and handles the keys
    <div
      id={`hex-${row}`}
      className="hex-row"
      role="option"
      tabIndex={-1}
      aria-selected={inRow}
      data-selected={inRow}
      onClick={() => !inRow && onSelect(start)}
    >
      <span className="hex-offset">{offset}</span>
      <Cells cells={cells.slice(0, 8)} first={0} at={at} />
      <Cells cells={cells.slice(8)} first={8} at={at} />
      <span>
        {cells.map((cell, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: sixteen fixed places
          <span key={index} className="hex-cell" data-printable={cell.printable} data-selected={index === at}>
            {cell.ascii}
          </span>
        ))}
      </span>
    </div>
  );
}

function Cells({
  cells,
  first,
  at,
}: {
  readonly cells: readonly HexCell[];
  readonly first: number;
  readonly at: number;
}) {
  return (
    <span className="hex-group">
      {cells.map((cell, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: eight fixed places
        <span key={index} className="hex-cell" data-selected={first + index === at}>
          {cell.hex}
        </span>
      ))}
    </span>
  );
}
