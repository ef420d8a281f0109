import './logs-view.css';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { CaseId } from '#shared/model/ids.ts';
import type { Report } from '#shared/report/schema.ts';
import type { ListChoice, LogCase } from '#shared/rpc/areas/logs.ts';
import { Button } from '../../components/button.tsx';
import { Empty, Skeleton } from '../../components/states.tsx';
import { type SearchParams, useLogSearch } from '../../data/log-search.ts';
import { useOrigin } from '../../data/origin.ts';
import { useQuery } from '../../data/query.ts';
import { useNavigation } from '../../stores/navigation.ts';
import { useSelection } from '../../stores/selection.ts';
import type { LogsTarget } from '../../stores/targets/logs.ts';
import { overrideCommand, runCommand } from '../shell/commands.ts';
import { ReadFailure } from '../shell/read-failure.tsx';
import { Facets } from './facets.tsx';
import { LogResult, type LogResultHandle } from './log-result.tsx';
import { QueryBar } from './query-bar.tsx';
import { SqlPanel } from './sql-panel.tsx';

interface LogsViewProps {
  readonly caseId: CaseId;
  readonly report: Report;
  readonly target: LogsTarget;
}

/** All lines of all files by time, and the search in them. */
export function LogsView(props: LogsViewProps) {
  const opened = useQuery('logs.open', { caseId: props.caseId });
  if (opened.state === 'loading') return <Skeleton words="Opening the logs" />;
  if (opened.state === 'failed')
    return <ReadFailure title="The logs cannot be read" error={opened.error} method="logs.open" />;
  return opened.value.totalLines === 0 ? <NoLines /> : <Logs {...props} logCase={opened.value} />;
}

function NoLines() {
  return (
    <Empty
      title="0 log lines"
      text="No file of this bundle holds lines of a log. Pod logs (kubectl logs --timestamps, one file a container, and --previous where one was started again) or torchrun's own log folder would fill this list."
    >
      <Button kind="outlined" onClick={() => runCommand('ask')}>
        Ask for what is missing…
      </Button>
    </Empty>
  );
}

/** The list is searched when typing pauses this long; what was pasted or recalled is complete, and is searched at once. */
const PAUSE_MS = 90;

function Logs({ caseId, report, target, logCase }: LogsViewProps & { readonly logCase: LogCase }) {
  const { replace } = useNavigation();
  const [draft, setDraft] = useState(target.query);
  const [sql, setSql] = useState(false);
  const [open, setOpen] = useState<readonly string[]>([]);
  const [fold, setFold] = useState(true);
  const input = useRef<HTMLInputElement>(null);
  const result = useRef<LogResultHandle>(null);
  const basis = useSelection((state) => state.basis);
  const { query, regex = false, matchCase = false } = target;
  const latest = useRef(target);
  latest.current = target;
  const setTarget = useCallback(
    (change: Partial<LogsTarget>) => replace({ screen: 'logs', caseId, target: { ...latest.current, ...change } }),
    [replace, caseId],
  );
  // Back, a locator or a link may bring another query.
  useEffect(() => setDraft(query), [query]);
  const lastDraft = useRef(draft);
  useEffect(() => {
    const isTyped = Math.abs(draft.length - lastDraft.current.length) <= 1;
    lastDraft.current = draft;
    if (draft === latest.current.query) return;
    const timer = setTimeout(() => setTarget({ query: draft, at: null, time: null }), isTyped ? PAUSE_MS : 0);
    return () => clearTimeout(timer);
  }, [draft, setTarget]);
  useEffect(() => overrideCommand('find', () => input.current?.select()), []);
  const setQuery = (next: string) => {
    setDraft(next);
    setTarget({ query: next, at: null, time: null });
  };
  const params = useParams({ caseId, query, regex, matchCase, logCase });
  const list: ListChoice = useMemo(() => ({ basis, fold, open }), [basis, fold, open]);
  const near = useCallback(() => result.current?.near() ?? null, []);
  const search = useLogSearch(params, list, near);
  const firstRanks = useMemo(() => new Set(report.verdict.firstRanks), [report]);
  return (
    <div className="logs" data-sql={sql}>
      <QueryBar
        caseId={caseId}
        text={draft}
        regex={regex}
        matchCase={matchCase}
        sql={sql}
        inputRef={input}
        onText={setDraft}
        onRun={(text) => {
          setQuery(text);
          result.current?.focus();
        }}
        onRegex={(on) => setTarget({ regex: on })}
        onMatchCase={(on) => setTarget({ matchCase: on })}
        onSql={setSql}
      />
      {sql ? (
        <SqlPanel caseId={caseId} />
      ) : (
        <div className="logs-panes">
          <Facets
            logCase={logCase}
            state={search.state}
            query={draft}
            fixed={regex}
            firstRanks={firstRanks}
            onQuery={setQuery}
          />
          <LogResult
            handle={result}
            caseId={caseId}
            report={report}
            logCase={logCase}
            target={target}
            search={search}
            list={list}
            onOpen={(key) =>
              setOpen((known) => (known.includes(key) ? known.filter((item) => item !== key) : [...known, key]))
            }
            onFold={setFold}
            onQuery={setQuery}
            onTarget={setTarget}
          />
        </div>
      )}
    </div>
  );
}

/** The query with the case's own filters, which count from the window's origin. */
function useParams({
  caseId,
  query,
  regex,
  matchCase,
  logCase,
}: Pick<SearchParams, 'caseId' | 'query' | 'regex' | 'matchCase'> & { readonly logCase: LogCase }): SearchParams {
  const { basis, ranks, range } = useSelection();
  const origin = useOrigin(caseId);
  return useMemo(() => {
    const shift = origin === null ? 0 : Number(origin - BigInt(logCase.originNs));
    return {
      caseId,
      query,
      regex,
      matchCase,
      basis,
      ranks,
      range: range === null ? null : { fromNs: range.from + shift, toNs: range.to + shift },
    };
  }, [caseId, query, regex, matchCase, basis, ranks, range, origin, logCase]);
}
