import './file-table.css';
import { type ReactNode, useMemo, useRef, useState } from 'react';
import type { EntryRow } from '#shared/rpc/contract.ts';
import { FileStatus } from '../../components/glyphs.tsx';
import { MiddleCut } from '../../components/middle-cut.tsx';
import { orderOf, SortHead } from '../../components/sort-head.tsx';
import type { FileChoice } from '../../stores/navigation.ts';
import type { CoverageModel } from '../../viewmodels/coverage.ts';
import { escapeText } from '../../viewmodels/escape-text.ts';
import {
  type Citation,
  commonFolder,
  FILE_COLUMNS,
  type FileColumn,
  type FileRow,
  type FileSort,
  fileRows,
} from '../../viewmodels/file-rows.ts';
import { useHeadedRows } from '../shell/use-headed-rows.ts';
import { useRowHeight } from '../shell/use-row-height.ts';
import { CoverageBar } from './coverage-bar.tsx';
import { useRowFocus } from './use-row-focus.ts';

const HEADS: Readonly<Record<FileColumn, string>> = {
  path: 'Path',
  kind: 'Kind',
  size: 'Size',
  sha: 'SHA-256',
  covers: 'Covers',
  status: 'Status',
  cited: 'Cited',
};
/** `detail` is not sorted by: it stands between status and citations. */
const LAYOUT = ['path', 'kind', 'size', 'sha', 'covers', 'status', 'detail', 'cited'] as const;

interface FileTableProps {
  readonly rows: readonly EntryRow[];
  readonly citations: ReadonlyMap<number, readonly Citation[]>;
  readonly choice: FileChoice;
  /** What files cover; null = not known of this case: then their own stamps are written. */
  readonly coverage: CoverageModel | null;
  readonly selected: number | null;
  readonly onOpen: (row: EntryRow) => void;
  readonly none: ReactNode;
}

export function FileTable({ rows, citations, choice, coverage, selected, onOpen, none }: FileTableProps) {
  const [sort, setSort] = useState<FileSort>({ column: 'status', descending: false });
  const shown = useMemo(() => fileRows(rows, citations, { filter: choice, sort }), [rows, citations, choice, sort]);
  const folder = useMemo(() => escapeText(commonFolder(rows)), [rows]);
  const scroller = useRef<HTMLDivElement>(null);
  const height = useRowHeight('row');
  const selectedIndex = selected === null ? -1 : shown.findIndex((row) => row.entry.id === selected);
  const list = useHeadedRows({ scroller, count: shown.length, height, at: selectedIndex });
  const { focused, keys } = useRowFocus({
    ...{ scroller, count: shown.length, height, start: selectedIndex },
    scrollTo: (index) => list.scrollToIndex(index, { align: 'auto' }),
    onEnter: (index) => {
      const row = shown[index];
      if (row !== undefined) onOpen(row.entry);
    },
  });

  return (
    <div
      ref={scroller}
      className="file-table"
      role="grid"
      tabIndex={0}
      aria-label="Files"
      aria-rowcount={shown.length + 1}
      aria-activedescendant={focused === null ? undefined : `file-${focused}`}
      data-pane="files"
      {...keys}
    >
      <ColumnHeads
        folder={folder}
        sort={sort}
        onSort={(column) => setSort({ column, descending: sort.column === column && !sort.descending })}
      />
      {shown.length === 0 && none}
      <div style={{ height: list.getTotalSize(), position: 'relative' }}>
        {list.getVirtualItems().map((item) => {
          const row = shown[item.index];
          return row ? (
            <div
              key={row.entry.id}
              style={{
                position: 'absolute',
                top: 0,
                left: 0,
                right: 0,
                transform: `translateY(${item.start - height}px)`,
              }}
            >
              <Row
                row={row}
                coverage={coverage}
                index={item.index}
                selected={item.index === selectedIndex}
                focused={item.index === focused}
                onOpen={onOpen}
              />
            </div>
          ) : null;
        })}
      </div>
    </div>
  );
}

interface HeadsProps {
  /** Above all paths; empty = none. */
  readonly folder: string;
  readonly sort: FileSort;
  readonly onSort: (column: FileColumn) => void;
}

function ColumnHeads({ folder, sort, onSort }: HeadsProps) {
  return (
    <div className="file-columns" role="row">
      {LAYOUT.map((name) => {
        const column = FILE_COLUMNS.find((known) => known === name);
        if (!column) {
          return (
            <span key={name} role="columnheader">
              Detail
            </span>
          );
        }
        return (
          <SortHead
            key={name}
            column={name}
            className={name === 'size' || name === 'cited' ? 'number' : name === 'path' ? 'file-path' : undefined}
            order={orderOf(sort.column === column, sort.descending)}
            onSort={() => onSort(column)}
            tabIndex={-1}
            beside={
              name === 'path' &&
              folder !== '' && <span className="file-folder cut" title={folder}>{`in ${folder}`}</span>
            }
          >
            {HEADS[column]}
          </SortHead>
        );
      })}
    </div>
  );
}

interface RowProps {
  readonly row: FileRow;
  readonly coverage: CoverageModel | null;
  readonly index: number;
  readonly selected: boolean;
  readonly focused: boolean;
  readonly onOpen: (row: EntryRow) => void;
}

function Row({ row, coverage, index, selected, focused, onOpen }: RowProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the grid holds the focus and handles the keys
    <div
      id={`file-${index}`}
      className="file-row"
      role="row"
      tabIndex={-1}
      aria-rowindex={index + 2}
      aria-selected={selected}
      data-focused={focused}
      data-path={row.entry.path}
      onClick={() => onOpen(row.entry)}
    >
      <span role="gridcell" className="file-path mono">
        <MiddleCut text={row.path} tail={tailOf(row.path)} />
      </span>
      <span role="gridcell" className="cut" title={row.entry.why}>
        {row.entry.kind}
      </span>
      <span role="gridcell" className="number">
        {row.size}
      </span>
      <span role="gridcell" className="mono-11 cut" data-column="sha" title={row.entry.sha256 ?? undefined}>
        {row.sha}
      </span>
      <Covers row={row} coverage={coverage} />
      <span role="gridcell">
        <FileStatus status={row.entry.status} word={row.entry.status} />
      </span>
      <span role="gridcell" className="cut" title={row.detail}>
        {row.detail}
      </span>
      <span role="gridcell" className="file-cited">
        {row.citedText}
      </span>
    </div>
  );
}

function Covers({ row, coverage }: { readonly row: FileRow; readonly coverage: CoverageModel | null }) {
  if (coverage === null)
    return (
      <span
        role="gridcell"
        className="cut tabular"
        data-column="covers"
        title={row.covers === '' ? undefined : `${row.covers}, raw, on the clock of this file`}
      >
        {row.covers}
      </span>
    );
  const span = coverage.spans.get(row.entry.id);
  const bar = span?.bar ?? null;
  const words =
    span === undefined ? '' : [span.times, span.basis, ...span.notes].filter((part) => part !== '').join(', ');
  const empty = row.entry.status === 'empty' || row.entry.status === 'refused';
  return (
    <span role="gridcell" data-column="covers" title={words === '' ? undefined : words}>
      {(bar !== null || empty) && (
        <CoverageBar bar={bar} fault={bar === null ? null : coverage.fault} look={bar === null ? 'none' : 'covers'} />
      )}
      <span className="sr-only">{words}</span>
    </span>
  );
}

/** The name of the file as far as a narrow column can hold it beside the beginning of its path. */
function tailOf(path: string): number {
  const name = path.length - path.lastIndexOf('/');
  return name <= LONGEST_TAIL ? name : SHORT_TAIL;
}
const LONGEST_TAIL = 24;
const SHORT_TAIL = 16;
