import './detail-pane.css';
import { useEffect } from 'react';
import type { CaseId } from '#shared/model/ids.ts';
import type { LineRow, LogFileInfo } from '#shared/rpc/areas/logs.ts';
import type { Highlighter } from '#shared/search/highlight.ts';
import { formatCount } from '#shared/text/format.ts';
import { Button } from '../../components/button.tsx';
import { EscapedText } from '../../components/escaped-text.tsx';
import { useLines } from '../../data/chunks.ts';
import { escapePieces, escapeText } from '../../viewmodels/escape-text.ts';
import { rowTime, timeNote } from '../../viewmodels/logs/line-rows.ts';
import { useLocalKeys, useShownKeys } from '../shell/platform.ts';
import { Pieces } from './log-row.tsx';

interface DetailPaneProps {
  readonly caseId: CaseId;
  readonly row: LineRow;
  readonly file: LogFileInfo | undefined;
  readonly originNs: string;
  readonly highlight: Highlighter;
  /** Lines of the file before and after. */
  readonly around: number;
  readonly onMore: () => void;
  readonly onRaw: () => void;
  readonly onAllFiles: () => void;
  readonly onClose: () => void;
}

/** Characters of the line itself; the raw viewer has all. */
const MOST = 4_096;
/** Here each time stands for itself. */
const NO_HEAD = { allRaw: false, commonBound: null };
const CONTEXT_CHARACTERS = 400;

/** The selected line in full, between its neighbours in the same file. */
export function DetailPane(props: DetailPaneProps) {
  const { caseId, row, file, originNs, highlight, around, onMore, onRaw, onAllFiles, onClose } = props;
  const { shown } = useLocalKeys('logs');
  const enter = useShownKeys();
  const source = useLines(caseId, row.entryId);
  const { want } = source;
  const from = Math.max(1, row.line - around);
  const to = Math.min(row.line + around, source.totalLines ?? row.line + around);
  useEffect(() => want(from, to + 1), [want, from, to]);
  const neighbours = (first: number, last: number) =>
    Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => first + i).map((number) => (
      <div key={number} className="log-context-line">
        <span>{formatCount(number)}</span>
        <span className="cut">
          <EscapedText pieces={escapePieces((source.line(number)?.text ?? '').slice(0, CONTEXT_CHARACTERS))} />
        </span>
      </div>
    ));
  return (
    <section className="log-detail" aria-label="Selected line" data-pane="line">
      <div className="log-detail-bar">
        <span className="cut">
          {escapeText(file?.path ?? '')}
          <span className="quiet">{` line ${formatCount(row.line)}, byte ${formatCount(row.byte)}`}</span>
        </span>
        <span className="log-detail-times">
          {row.corrected &&
            row.timeNs !== null &&
            `${rowTime(originNs, row.timeNs, row.resolutionNs)} ${timeNote(row, file, NO_HEAD)}`}
          {row.rawNs !== null && (
            <span className="quiet">{` raw ${rowTime(originNs, row.rawNs, row.resolutionNs)}`}</span>
          )}
        </span>
        <Button kind="plain" keys={shown('context')} onClick={onMore}>
          More context
        </Button>
        <Button kind="plain" keys={shown('all-files')} onClick={onAllFiles}>
          All files then
        </Button>
        <Button kind="plain" keys={enter('Enter')} onClick={onRaw}>
          Open in file
        </Button>
        <Button kind="plain" onClick={onClose}>
          Close
        </Button>
      </div>
      <div className="log-detail-lines mono">
        {neighbours(from, row.line - 1)}
        <div className="log-context-line" data-own="true">
          <span>{formatCount(row.line)}</span>
          <span className="log-detail-text">
            <span className="quiet">
              <EscapedText pieces={escapePieces(row.before)} />
            </span>
            <Pieces row={row} highlight={highlight} max={MOST} />
            {row.more > 0 && <span className="quiet">{` … ${formatCount(row.more)} more bytes`}</span>}
          </span>
        </div>
        {neighbours(row.line + 1, to)}
      </div>
    </section>
  );
}
