/** Files of kubectl tables: one table or several below each other, each with its own header. */
import type { Claim, EntryContext, EntryHead, FormatOutput, LineReader } from '../../model/format.ts';
import type { SourceRef } from '../../model/source-ref.ts';
import { type Column, readHeader, readRow } from './columns.ts';
import { eventFromRow, nodeFromRow, podFromRow } from './table-rows.ts';

export type TableKind = 'pods' | 'nodes' | 'events';

const SHAPES: readonly { readonly kind: TableKind; readonly header: RegExp }[] = [
  { kind: 'pods', header: /^(?:NAMESPACE {2,})?NAME {2,}READY {2,}STATUS {2,}RESTARTS {2,}AGE(?: {2}|\s*$)/ },
  { kind: 'nodes', header: /^NAME {2,}STATUS {2,}ROLES {2,}AGE {2,}VERSION(?: {2}|\s*$)/ },
  {
    kind: 'events',
    header:
      /^(?:NAMESPACE {2,})?LAST SEEN {2,}(?:FIRST SEEN {2,})?(?:COUNT {2,})?(?:NAME {2,})?TYPE {2,}REASON {2,}OBJECT {2,}/,
  },
];
/** Any header of kubectl: words in capitals. */
const ANY_HEADER =
  /^[A-Z][A-Z0-9()/%-]*(?: [A-Z][A-Z0-9()/%-]*)*(?: {2,}[A-Z][A-Z0-9()/%-]*(?: [A-Z][A-Z0-9()/%-]*)*)+\s*$/;
const LONGEST_HEADER = 2000;

const kindOf = (line: string): TableKind | undefined =>
  line.length > LONGEST_HEADER ? undefined : SHAPES.find(({ header }) => header.test(line))?.kind;

/** Lines that may stand in front of the first header: the command that was typed, warnings, blanks. */
const LINES_BEFORE = 5;

/** Claims a file whose first table is of `kind`. */
export function claimTable(kind: TableKind, head: EntryHead): Claim | undefined {
  const lines = head.text.replace(/^\uFEFF/, '').split('\n', LINES_BEFORE + 1);
  for (const [i, line] of lines.entries()) {
    const found = kindOf(line);
    if (found !== undefined)
      return found === kind
        ? { score: i === 0 ? 0.95 : 0.85, why: `column headers of kubectl get ${kind}` }
        : undefined;
  }
  return undefined;
}

export function openTables(context: EntryContext, emit: (output: FormatOutput) => void): LineReader {
  return new TableReader(context, emit);
}

class TableReader implements LineReader {
  private readonly context: EntryContext;
  private readonly emit: (output: FormatOutput) => void;
  private columns: readonly Column[] | undefined;
  private kind: TableKind | undefined;
  private readonly counts = { pods: 0, nodes: 0, events: 0 };

  constructor(context: EntryContext, emit: (output: FormatOutput) => void) {
    this.context = context;
    this.emit = emit;
  }

  line(text: string, lineNumber: number, byte: number, length: number): number {
    const line = (lineNumber === 1 ? text.replace(/^\uFEFF/, '') : text).replace(/\r$/, '');
    const source: SourceRef = { kind: 'line', entry: this.context.entry, line: lineNumber, byte, length };
    const kind = kindOf(line);
    if (kind !== undefined) {
      this.kind = kind;
      this.columns = readHeader(line);
    } else if (line.length <= LONGEST_HEADER && ANY_HEADER.test(line)) this.foreignTable(line, source);
    else if (line.trim() === '') return Number.NaN;
    else if (this.kind !== undefined && this.columns !== undefined) this.row(this.kind, this.columns, line, source);
    return Number.NaN;
  }

  private foreignTable(line: string, source: SourceRef): void {
    this.kind = undefined;
    this.columns = undefined;
    this.emit({
      kind: 'issue',
      code: 'table-header-unknown',
      severity: 'info',
      source,
      detail: line.trim().replace(/ {2,}/g, ', ').slice(0, 200),
    });
  }

  private row(kind: TableKind, columns: readonly Column[], line: string, source: SourceRef): void {
    const row = readRow(columns, line);
    const output = row === undefined ? undefined : rowOutput(kind, row, source);
    if (output === undefined) {
      this.emit({
        kind: 'issue',
        code: 'object-field-invalid',
        severity: 'warning',
        source,
        detail: `a row that does not fit its header: ${line.trim().slice(0, 120)}`,
      });
      return;
    }
    this.counts[kind] += 1;
    this.emit(output);
  }

  end(): void {
    const { pods, nodes, events } = this.counts;
    const parts = [
      [pods, 'Pod'],
      [nodes, 'Node'],
      [events, 'Event'],
    ].flatMap(([count, title]) => (Number(count) > 0 ? [`${count} × ${title}`] : []));
    this.emit({ kind: 'summary', text: parts.length > 0 ? parts.join(', ') : 'a table without rows' });
  }
}

function rowOutput(kind: TableKind, row: ReadonlyMap<string, string>, source: SourceRef): FormatOutput | undefined {
  if (kind === 'pods') {
    const pod = podFromRow(row, source);
    return pod && { kind: 'pod', pod };
  }
  if (kind === 'nodes') {
    const node = nodeFromRow(row, source);
    return node && { kind: 'node', node };
  }
  const kubeEvent = eventFromRow(row, source);
  return kubeEvent && { kind: 'kube-event', kubeEvent };
}
