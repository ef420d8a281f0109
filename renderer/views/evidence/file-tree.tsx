/** Folders beside the list: a way to one of them, and where in the bundle something was refused, empty or cut. */
import './file-tree.css';
import { ChevronDown, ChevronRight, File, Folder } from 'lucide-react';
import { type KeyboardEvent, useMemo, useState } from 'react';
import type { EntryRow } from '#shared/rpc/contract.ts';
import { formatCount } from '#shared/text/format.ts';
import { FileStatusGlyph } from '../../components/glyphs.tsx';
import { fileTree, type TreeRow } from '../../viewmodels/file-tree.ts';

interface FileTreeProps {
  readonly rows: readonly EntryRow[];
  /** What the list is filtered by: the folder of that name is the chosen one. */
  readonly find: string;
  readonly selected: number | null;
  readonly onFolder: (path: string) => void;
  readonly onOpen: (row: EntryRow) => void;
}

export function FileTree({ rows, find, selected, onFolder, onOpen }: FileTreeProps) {
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const tree = useMemo(() => fileTree(rows, closed), [rows, closed]);
  if (tree.length === 0) return null;
  const fold = (path: string, shut: boolean): void => {
    const next = new Set(closed);
    if (shut) next.add(path);
    else next.delete(path);
    setClosed(next);
  };
  return (
    <nav className="file-tree" aria-label="Folders" data-pane="folders" onKeyDown={moveFocus}>
      {tree.map((row, i) => (
        <Row
          key={row.key}
          row={row}
          first={i === 0}
          open={!closed.has(row.path)}
          current={row.entry === null ? row.kind === 'folder' && row.path === find : row.entry.id === selected}
          onFold={fold}
          onChoose={() => (row.entry === null ? onFolder(row.path === find ? '' : row.path) : onOpen(row.entry))}
        />
      ))}
    </nav>
  );
}

interface RowProps {
  readonly row: TreeRow;
  readonly first: boolean;
  readonly open: boolean;
  readonly current: boolean;
  readonly onFold: (path: string, shut: boolean) => void;
  readonly onChoose: () => void;
}

function Row({ row, first, open, current, onFold, onChoose }: RowProps) {
  const folder = row.kind === 'folder';
  const Caret = open ? ChevronDown : ChevronRight;
  return (
    <div className="tree-row" data-kind={row.kind} style={{ paddingLeft: `calc(0.5rem + ${row.depth}rem)` }}>
      {folder && (
        <button
          type="button"
          className="tree-caret"
          tabIndex={-1}
          aria-label={`${open ? 'Fold' : 'Unfold'} ${row.name}`}
          onClick={() => onFold(row.path, open)}
        >
          <Caret className="icon-12" strokeWidth={1.75} aria-hidden="true" />
        </button>
      )}
      <button
        type="button"
        className="tree-name"
        tabIndex={first ? 0 : -1}
        aria-current={current ? 'true' : undefined}
        aria-expanded={folder ? open : undefined}
        title={row.path}
        onClick={onChoose}
        onKeyDown={(event) => {
          if (!folder || (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight')) return;
          event.preventDefault();
          onFold(row.path, event.key === 'ArrowLeft');
        }}
      >
        {folder ? (
          <Folder className="icon-14" strokeWidth={1.75} aria-hidden="true" />
        ) : (
          row.kind === 'file' && <File className="icon-14" strokeWidth={1.75} aria-hidden="true" />
        )}
        <span className="cut">{row.name}</span>
        {row.status !== 'read' && (
          <span className="file-status" data-file-status={row.status}>
            <FileStatusGlyph status={row.status} />
            <span className="sr-only">{row.status}</span>
          </span>
        )}
        {folder && <span className="tree-count">{formatCount(row.count)}</span>}
      </button>
    </div>
  );
}

/** Up and down go from name to name: one stop for Tab, as in a list. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (by === undefined) return;
  const names = [...event.currentTarget.querySelectorAll<HTMLButtonElement>('.tree-name')];
  const active = document.activeElement;
  const at = active instanceof HTMLButtonElement ? names.indexOf(active) : -1;
  event.preventDefault();
  event.stopPropagation();
  names[Math.max(0, Math.min(names.length - 1, at + by))]?.focus();
}
