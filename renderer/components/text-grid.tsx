import './twin-table.css';
/** A table of texts beside a picture, of any length: only the rows in sight are drawn. Takes the focus when it appears. */
import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useEffect, useRef } from 'react';

interface TextGridProps {
  readonly label: string;
  readonly head: readonly string[];
  /** Cells in the order of `head`. */
  readonly rows: readonly (readonly string[])[];
  readonly rowPx: number;
  readonly rowClass: string;
  /** Widths of the columns, where the class does not give them. */
  readonly columns?: string;
  readonly isFirst?: (row: readonly string[]) => boolean;
  /** Keys that close the table beside Escape. */
  readonly closes?: (event: KeyboardEvent) => boolean;
  readonly onClose: () => void;
}

export function TextGrid(props: TextGridProps) {
  const { label, head, rows, rowPx, rowClass, columns, isFirst, closes, onClose } = props;
  const host = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => host.current,
    estimateSize: () => rowPx,
    overscan: 12,
  });
  useEffect(() => host.current?.focus(), []);
  const template = columns === undefined ? {} : { gridTemplateColumns: columns };
  return (
    <div
      ref={host}
      className="twin-scroll"
      role="grid"
      aria-label={label}
      aria-rowcount={rows.length + 1}
      tabIndex={0}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' && closes?.(event) !== true) return;
        event.preventDefault();
        event.stopPropagation();
        onClose();
      }}
    >
      <div className={`twin-row twin-head ${rowClass}`} role="row" aria-rowindex={1} style={template}>
        {head.map((name) => (
          <span key={name} role="columnheader" className="cut" title={name}>
            {name}
          </span>
        ))}
      </div>
      <div style={{ height: `${virtual.getTotalSize()}px`, position: 'relative' }} role="presentation">
        {virtual.getVirtualItems().map((item) => {
          const row = rows[item.index] ?? [];
          const place = { position: 'absolute', width: '100%', height: `${rowPx}px`, top: `${item.start}px` } as const;
          return (
            <div
              key={item.key}
              className={`twin-row ${rowClass}`}
              role="row"
              aria-rowindex={item.index + 2}
              data-first={isFirst?.(row)}
              style={{ ...template, ...place }}
            >
              {row.map((cell, column) => (
                <span key={head[column]} role="gridcell" className="cut" title={cell}>
                  {cell}
                </span>
              ))}
            </div>
          );
        })}
      </div>
    </div>
  );
}
