import './sql-panel.css';
import { useRef, useState } from 'react';
import type { CaseId } from '#shared/model/ids.ts';
import type { LogsMethods } from '#shared/rpc/areas/logs.ts';
import { formatCount, plural } from '#shared/text/format.ts';
import { Button } from '../../components/button.tsx';
import { EscapedText } from '../../components/escaped-text.tsx';
import { Choice } from '../../components/fields.tsx';
import { Failure, Skeleton } from '../../components/states.tsx';
import { copyText } from '../../data/clipboard.ts';
import { useQuery } from '../../data/query.ts';
import { askSql } from '../../data/sql.ts';
import { escapePieces, escapeText } from '../../viewmodels/escape-text.ts';
import { tsvOf } from '../../viewmodels/tsv.ts';
import { useShownKeys } from '../shell/platform.ts';

type Answer = LogsMethods['logs.sql']['result'];

const LIMITS = [100, 1_000, 10_000] as const;
const EXAMPLE = 'SELECT kind, count(*) AS lines FROM events GROUP BY kind ORDER BY lines DESC';
/** Rows drawn; the rest is there for copying. */
const DRAWN_ROWS = 1_000;

/** Read-only SQL over the case. Stays until it is closed; the search below it is kept. */
export function SqlPanel({ caseId }: { readonly caseId: CaseId }) {
  const views = useQuery('logs.views', {});
  const shown = useShownKeys();
  const [sql, setSql] = useState(EXAMPLE);
  const [limit, setLimit] = useState(1_000);
  const [answer, setAnswer] = useState<Answer | null>(null);
  const [running, setRunning] = useState(false);
  const generation = useRef(0);
  const run = async () => {
    const own = ++generation.current;
    setRunning(true);
    const next = await askSql(caseId, sql, limit);
    if (own !== generation.current) return;
    setRunning(false);
    setAnswer(next);
  };
  const stop = () => {
    generation.current += 1;
    setRunning(false);
  };
  return (
    <div className="logs-sql">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, which needs keys */}
      <section className="logs-sql-side" aria-label="Views" tabIndex={0}>
        <h2>Views</h2>
        {views.state === 'ready' &&
          views.value.views.map((view) => (
            <section key={view.name}>
              <h3 className="mono">{view.name}</h3>
              <p>{view.about}</p>
              <p className="mono quiet">{view.columns.join(', ')}</p>
            </section>
          ))}
        <p className="quiet">Read-only. A statement is stopped after ten seconds.</p>
      </section>
      <div className="logs-sql-main">
        <textarea
          className="mono"
          aria-label="SQL statement"
          value={sql}
          spellCheck={false}
          rows={4}
          onChange={(event) => setSql(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
              event.preventDefault();
              void run();
            }
          }}
        />
        <div className="logs-sql-bar">
          <Button
            kind="outlined"
            keys={shown('Mod+Enter')}
            aria-disabled={running}
            onClick={() => !running && void run()}
          >
            Run statement
          </Button>
          {running && (
            <Button kind="plain" onClick={stop}>
              Stop waiting
            </Button>
          )}
          <Choice
            label="rows"
            value={String(limit)}
            options={LIMITS.map((value) => ({ value: String(value), label: `at most ${formatCount(value)}` }))}
            onChoose={(value) => setLimit(Number(value))}
          />
          {answer?.ok && (
            <span className="logs-sql-count">
              {`${answer.more ? 'the first ' : ''}${plural(answer.rows.length, 'row')}`}
              {answer.rows.length > DRAWN_ROWS && `, ${formatCount(DRAWN_ROWS)} drawn`}
            </span>
          )}
          {answer?.ok && (
            <Button kind="plain" onClick={() => copyText(tsvOf(answer.columns, answer.rows))}>
              Copy table
            </Button>
          )}
        </div>
        <div className="logs-sql-result">
          {running && <Skeleton words="Running the statement" />}
          {!running && answer !== null && !answer.ok && (
            <Failure title="The statement was not run" text={escapeText(answer.error)} />
          )}
          {!running && answer?.ok && <Table answer={answer} />}
        </div>
      </div>
    </div>
  );
}

function Table({ answer }: { readonly answer: Extract<Answer, { readonly ok: true }> }) {
  return (
    <table>
      <thead>
        <tr>
          {answer.columns.map((column, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two columns may have one name
            <th key={index}>{escapeText(column)}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {answer.rows.slice(0, DRAWN_ROWS).map((row, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows of one immutable answer
          <tr key={at}>
            {row.map((cell, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: cells of one row, in their order
              <td key={index} data-number={typeof cell === 'number'}>
                {cell === null ? (
                  <span className="quiet">null</span>
                ) : (
                  <EscapedText pieces={escapePieces(String(cell).slice(0, 500))} />
                )}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
