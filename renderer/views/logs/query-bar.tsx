import './query-bar.css';
import { CaseSensitive, Regex, Search, Star, X } from 'lucide-react';
import { type Ref, useMemo, useRef, useState } from 'react';
import type { CaseId } from '#shared/model/ids.ts';
import { parseAsRegex, parseQuery, type QueryError } from '#shared/search/parse-query.ts';
import { Button, IconButton } from '../../components/button.tsx';
import { Menu, MenuItem, MenuLabel, MenuLine, Tooltip } from '../../components/layers.tsx';
import { useLogSearches } from '../../stores/log-searches.ts';
import { queryPieces } from '../../viewmodels/logs/query-pieces.ts';

interface QueryBarProps {
  readonly caseId: CaseId;
  readonly text: string;
  readonly regex: boolean;
  readonly matchCase: boolean;
  readonly sql: boolean;
  readonly inputRef: Ref<HTMLInputElement>;
  readonly onText: (text: string) => void;
  /** Enter: search at once, and go to the list. */
  readonly onRun: (text: string) => void;
  readonly onRegex: (on: boolean) => void;
  readonly onMatchCase: (on: boolean) => void;
  readonly onSql: (on: boolean) => void;
}

export function QueryBar(props: QueryBarProps) {
  const { caseId, text, regex, matchCase, sql, onRegex, onMatchCase, onSql } = props;
  const parsed = useMemo(() => (regex ? parseAsRegex(text, !matchCase) : parseQuery(text)), [text, regex, matchCase]);
  const error = parsed.ok ? null : parsed.error;
  return (
    <div className="logs-bar" data-pane="query">
      <div className="logs-query" data-wrong={error !== null}>
        <Search className="icon-14" strokeWidth={1.75} aria-hidden="true" />
        <QueryInput {...props} error={error} />
        {text !== '' && (
          <IconButton label="Clear the query" onClick={() => props.onText('')}>
            <X className="icon-14" strokeWidth={1.75} aria-hidden="true" />
          </IconButton>
        )}
        <Toggle label="The whole query is a regular expression" on={regex} onChange={onRegex}>
          <Regex className="icon-14" strokeWidth={1.75} aria-hidden="true" />
        </Toggle>
        <Toggle label="Match case" on={matchCase} onChange={onMatchCase}>
          <CaseSensitive className="icon-16" strokeWidth={1.75} aria-hidden="true" />
        </Toggle>
      </div>
      <SavedSearches caseId={caseId} text={text} onRun={props.onRun} />
      <Button kind="plain" aria-pressed={sql} onClick={() => onSql(!sql)}>
        SQL
      </Button>
      {error !== null && (
        <div className="logs-query-error" role="status">
          {`Expected ${error.expected}`}
          <span className="logs-query-place">
            {error.at >= text.length ? 'at the end' : `at character ${error.at + 1}`}; the last good result stays below
          </span>
        </div>
      )}
    </div>
  );
}

/** The text in colours lies under the input, whose own text is transparent: caret and selection stay the system's. */
function QueryInput({
  text,
  regex,
  inputRef,
  error,
  onText,
  onRun,
}: QueryBarProps & { readonly error: QueryError | null }) {
  const paint = useRef<HTMLDivElement>(null);
  const { history, remember } = useLogSearches();
  const [back, setBack] = useState(-1);
  const recall = (to: number) => {
    const next = Math.max(-1, Math.min(to, history.length - 1));
    setBack(next);
    onText(next < 0 ? '' : (history[next] ?? ''));
  };
  return (
    <div className="logs-query-text">
      <div ref={paint} className="logs-query-paint mono" aria-hidden="true">
        {queryPieces(text, regex, error).map((piece, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text, in their order
          <span key={index} data-kind={piece.kind} data-wrong={piece.wrong}>
            {piece.text}
          </span>
        ))}
      </div>
      <input
        ref={inputRef}
        className="mono"
        type="text"
        aria-label="Search logs"
        aria-invalid={error !== null}
        placeholder={'word "exact phrase" -not  level>=warn  rank:0-7  t:12:03..12:05  /regex/'}
        value={text}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => {
          setBack(-1);
          onText(event.currentTarget.value);
        }}
        onScroll={(event) => {
          if (paint.current) paint.current.scrollLeft = event.currentTarget.scrollLeft;
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter') {
            remember(text);
            onRun(text);
          } else if (event.key === 'ArrowUp' && (text === '' || back >= 0)) recall(back + 1);
          else if (event.key === 'ArrowDown' && back >= 0) recall(back - 1);
          else if (event.key === 'Escape' && text !== '') onText('');
          else return;
          event.preventDefault();
          event.stopPropagation();
        }}
      />
    </div>
  );
}

interface ToggleProps {
  readonly label: string;
  readonly on: boolean;
  readonly onChange: (on: boolean) => void;
  readonly children: React.ReactNode;
}

function Toggle({ label, on, onChange, children }: ToggleProps) {
  return (
    <Tooltip text={label}>
      <IconButton label={label} aria-pressed={on} onClick={() => onChange(!on)}>
        {children}
      </IconButton>
    </Tooltip>
  );
}

const NO_SEARCHES: readonly { readonly name: string; readonly query: string }[] = [];

function SavedSearches({
  caseId,
  text,
  onRun,
}: {
  readonly caseId: CaseId;
  readonly text: string;
  readonly onRun: (text: string) => void;
}) {
  const save = useLogSearches((state) => state.save);
  const remove = useLogSearches((state) => state.remove);
  const own = useLogSearches((state) => state.saved[caseId] ?? NO_SEARCHES);
  const everywhere = useLogSearches((state) => state.saved[''] ?? NO_SEARCHES);
  const name = text.trim();
  const isKept = own.some((known) => known.query === name);
  return (
    <Menu
      align="end"
      trigger={
        <button type="button" className="button" data-kind="plain">
          <Star className="icon-14" strokeWidth={1.75} fill={isKept ? 'currentColor' : 'none'} aria-hidden="true" />
          Save search
        </button>
      }
    >
      <MenuItem
        label="Save for this case"
        disabled={name === ''}
        onSelect={() => save(caseId, { name, query: name })}
      />
      <MenuItem label="Save for all cases" disabled={name === ''} onSelect={() => save(null, { name, query: name })} />
      {isKept && <MenuItem label="Remove from this case" onSelect={() => remove(caseId, name)} />}
      {own.length > 0 && <MenuLine />}
      {own.length > 0 && <MenuLabel text="This case" />}
      {own.map((known) => (
        <MenuItem key={known.name} label={known.name} onSelect={() => onRun(known.query)} />
      ))}
      {everywhere.length > 0 && <MenuLine />}
      {everywhere.length > 0 && <MenuLabel text="All cases" />}
      {everywhere.map((known) => (
        <MenuItem key={known.name} label={known.name} onSelect={() => onRun(known.query)} />
      ))}
    </Menu>
  );
}
