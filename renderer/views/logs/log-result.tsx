import { type Ref, useEffect, useImperativeHandle, useMemo, useRef, useState } from 'react';
import type { CaseId } from '#shared/model/ids.ts';
import type { Report } from '#shared/report/schema.ts';
import type { LineRow, ListChoice, LogCase } from '#shared/rpc/areas/logs.ts';
import { makeHighlighter } from '#shared/search/highlight.ts';
import { parseAsRegex, parseQuery } from '#shared/search/parse-query.ts';
import { Button } from '../../components/button.tsx';
import { Banner, Failure, Refreshing } from '../../components/states.tsx';
import { copyText } from '../../data/clipboard.ts';
import { useSetMap } from '../../data/log-places.ts';
import { type LogRows, type LogSearch, useLogRows } from '../../data/log-search.ts';
import { useNotes } from '../../data/notes.ts';
import { useOrigin } from '../../data/origin.ts';
import { ALL_FILES, useNavigation } from '../../stores/navigation.ts';
import { useNotices } from '../../stores/notices.ts';
import { usePreferences } from '../../stores/preferences.ts';
import { useSelection } from '../../stores/selection.ts';
import type { LogsTarget } from '../../stores/targets/logs.ts';
import { commonBound, isAllRaw, rowTime, timeHead } from '../../viewmodels/logs/line-rows.ts';
import { isoToNs } from '../../viewmodels/times.ts';
import { RPC_ERROR_WORDS } from '../../viewmodels/words.ts';
import { useLocalKeys } from '../shell/platform.ts';
import { presentLocator } from '../shell/view-commands.ts';
import { DetailPane } from './detail-pane.tsx';
import { type ListActions, listKeys } from './list-keys.ts';
import { LogList, type LogListHandle } from './log-list.tsx';
import type { RowContext } from './log-row.tsx';
import { NoMatches } from './no-matches.tsx';
import { ResultHead } from './result-head.tsx';
import { type LogCursor, useLogCursor } from './use-log-cursor.ts';

export interface LogResultHandle {
  focus(): void;
  /** ns of what is looked at; null = the beginning. */
  near(): number | null;
}

interface LogResultProps {
  readonly handle: Ref<LogResultHandle>;
  readonly caseId: CaseId;
  readonly report: Report;
  readonly logCase: LogCase;
  readonly target: LogsTarget;
  readonly search: LogSearch;
  readonly list: ListChoice;
  readonly onOpen: (key: string) => void;
  readonly onFold: (on: boolean) => void;
  readonly onQuery: (query: string) => void;
  readonly onTarget: (change: Partial<LogsTarget>) => void;
}

const MAP_PARTS = 400;
/** Lines before and after, one step a key press; then none again. */
const CONTEXT_STEPS = [0, 3, 10, 40];

export function LogResult(props: LogResultProps) {
  const { handle, caseId, report, logCase, search, list, onFold, onQuery } = props;
  const rows = useLogRows(search, list);
  const total = search.state?.rows ?? 0;
  const listHandle = useRef<LogListHandle>(null);
  const cursor = useLogCursor({ search, list, rows, total, handle: listHandle });
  const [around, setAround] = useState(0);
  const themeKey = usePreferences((state) => `${state.theme} ${state.textScale} ${state.density}`);
  const map = useSetMap(search, list, MAP_PARTS);
  const { openRow, openRaw, allFiles, actions } = useRowActions(props, { cursor, rows, setAround });
  const context = useRowContext(props, cursor.moveTo, openRow);
  const onKeyDown = listKeys(cursor, listHandle, actions, useLocalKeys('logs'));
  useTarget(props, cursor);
  useUnfolded(props, cursor, rows);
  useImperativeHandle(handle, () => ({
    focus: () => {
      listHandle.current?.focus();
      if (cursor.row === null) cursor.moveTo(0);
    },
    near: () => cursor.line?.keyNs ?? null,
  }));
  const error = search.error ?? rows.error;
  const none = search.state !== null && search.state.matches === 0 && search.state.status !== 'searching';
  return (
    <div className="logs-result">
      {search.state?.status === 'searching' && <Refreshing />}
      <ResultHead
        {...{ caseId, report, logCase, search, list, themeKey, onFold }}
        onTime={(timeNs) => cursor.goTo({ kind: 'time', timeNs })}
      />
      <StatusBanner search={search} />
      {error !== null && (
        <Failure
          title="The search ended"
          text={RPC_ERROR_WORDS[error.code]}
          onCopy={() => copyText(`${error.code}: ${error.detail}`)}
        >
          <Button kind="outlined" onClick={search.again}>
            Search again
          </Button>
        </Failure>
      )}
      {none ? (
        <NoMatches search={search} onQuery={onQuery} />
      ) : (
        <LogList
          handle={listHandle}
          total={total}
          rows={rows}
          cursor={cursor.row}
          context={context}
          timeHead={timeHead(logCase, list.basis)}
          map={map}
          themeKey={themeKey}
          onKeyDown={onKeyDown}
        />
      )}
      {around > 0 && cursor.line !== null && (
        <DetailPane
          caseId={caseId}
          row={cursor.line}
          file={logCase.files[cursor.line.file]}
          originNs={logCase.originNs}
          highlight={context.highlight}
          around={around}
          onMore={() => setAround((known) => (known >= 40 ? 3 : known >= 10 ? 40 : 10))}
          onRaw={openRaw}
          onAllFiles={allFiles}
          onClose={() => setAround(0)}
        />
      )}
    </div>
  );
}

interface ActionParts {
  readonly cursor: LogCursor;
  readonly rows: LogRows;
  readonly setAround: (change: (known: number) => number) => void;
}

/** What can be done with a row. */
function useRowActions(
  { caseId, logCase, onOpen, onTarget }: LogResultProps,
  { cursor, rows, setAround }: ActionParts,
): {
  readonly openRow: (index: number) => void;
  readonly openRaw: () => void;
  readonly allFiles: () => void;
  readonly actions: ListActions;
} {
  const { go } = useNavigation();
  const origin = useOrigin(caseId);
  const { line } = cursor;
  const openLine = (row: LineRow) =>
    go({
      screen: 'evidence',
      caseId,
      files: ALL_FILES,
      target: { entryId: row.entryId, mode: 'text', line: row.line, byte: null, record: null },
    });
  const openRow = (index: number) => {
    const row = rows.row(index);
    if (row?.kind === 'fold') onOpen(row.key);
    if (row?.kind === 'line') openLine(row);
  };
  const allFiles = () => {
    if (line !== null) onTarget({ query: '', at: { entryId: line.entryId, line: line.line }, time: null });
  };
  const unfold = () => {
    const row = cursor.row === null ? undefined : rows.row(cursor.row);
    if (row?.kind === 'fold') onOpen(row.key);
  };
  return {
    openRow,
    openRaw: () => line !== null && openLine(line),
    allFiles,
    actions: {
      open: () => cursor.row !== null && openRow(cursor.row),
      toggleContext: () => setAround((known) => CONTEXT_STEPS[CONTEXT_STEPS.findIndex((step) => step > known)] ?? 0),
      allFiles,
      copy: () => line !== null && copyLine(line, logCase),
      setRange: () => line !== null && rangeAround(line, origin, logCase),
      unfold,
    },
  };
}

function useRowContext(
  { caseId, report, logCase, search, list, onOpen }: LogResultProps,
  onSelect: (index: number) => void,
  onOpenRow: (index: number) => void,
): RowContext {
  const notes = useNotes(caseId);
  const { params } = search;
  const [query, regex, matchCase] = [params?.query ?? '', params?.regex === true, params?.matchCase === true];
  const highlight = useMemo(() => {
    const parsed = regex ? parseAsRegex(query, !matchCase) : parseQuery(query);
    return parsed.ok ? makeHighlighter(parsed.value.query, matchCase) : () => [];
  }, [query, regex, matchCase]);
  const firstRanks = useMemo(() => new Set(report.verdict.firstRanks), [report]);
  return {
    originNs: logCase.originNs,
    files: logCase.files,
    firstRanks,
    highlight,
    times: { allRaw: isAllRaw(logCase, list.basis), commonBound: commonBound(logCase) },
    all: search.state !== null && search.state.matches === logCase.totalLines,
    isStarred: (row) => notes.isStarred({ kind: 'line', path: logCase.files[row.file]?.path ?? '', line: row.line }),
    onSelect,
    onOpen: onOpenRow,
    onFold: onOpen,
  };
}

/** Goes where a link, a locator or the history wants, once there is a list. */
function useTarget({ target, search, logCase }: LogResultProps, { goTo }: ReturnType<typeof useLogCursor>): void {
  const done = useRef('');
  const key = JSON.stringify([target.query, target.at, target.time]);
  const isThis = search.params?.query === target.query;
  const status = search.state?.status;
  useEffect(() => {
    if (done.current === key || !isThis || status === undefined) return;
    // The line may be in text that is not searched yet.
    if (status === 'searching' && target.at !== null && target.query !== '') return;
    done.current = key;
    const epoch = target.time === null ? null : isoToNs(target.time);
    if (target.at !== null) goTo({ kind: 'line', ...target.at });
    else if (epoch !== null) goTo({ kind: 'time', timeNs: Number(epoch - BigInt(logCase.originNs)) });
  }, [key, isThis, status, target, goTo, logCase]);
}

/** A line that a link asked for and that is folded away is unfolded once; what the user folds again stays so. */
function useUnfolded({ target, onOpen }: LogResultProps, cursor: LogCursor, rows: LogRows): void {
  const done = useRef('');
  const wanted = target.at === null ? '' : `${target.at.entryId}:${target.at.line}`;
  const row = cursor.row === null ? undefined : rows.row(cursor.row);
  const fold = row?.kind === 'fold' && !row.open && cursor.seeks === wanted ? row.key : null;
  useEffect(() => {
    if (fold === null || wanted === '' || done.current === wanted) return;
    done.current = wanted;
    onOpen(fold);
  }, [fold, wanted, onOpen]);
}

function StatusBanner({ search }: { readonly search: LogSearch }) {
  if (search.state?.status === 'too-slow')
    return (
      <Banner
        tone="warn"
        text="The search was stopped: the expression takes too long on some lines. What is listed is what was found until then."
      />
    );
  if (search.state !== null && search.state.damaged > 0)
    return <Banner tone="warn" text="Some stored parts of the files cannot be read; they are not searched." />;
  return null;
}

function copyLine(row: LineRow, logCase: LogCase): void {
  const path = logCase.files[row.file]?.path ?? '';
  const time =
    row.timeNs === null ? '–' : `${rowTime(logCase.originNs, row.timeNs)} ${row.corrected ? 'corrected' : 'raw'}`;
  const text = `${path}:${row.line} byte ${row.byte}\n${time}  ${row.before}${row.text}\n${presentLocator() ?? ''}`;
  useNotices.getState().show(copyText(text) ? 'Line copied with its locator' : 'The system refused the clipboard');
}

/** Ten seconds around the line become the range of all screens. */
function rangeAround(row: LineRow, origin: bigint | null, logCase: LogCase): void {
  if (origin === null) return;
  const shift = Number(origin - BigInt(logCase.originNs));
  useSelection.getState().setRange({ from: row.keyNs - 5e9 - shift, to: row.keyNs + 5e9 - shift });
}
