import { useEffect } from 'react';
import type { CaseId } from '#shared/model/ids.ts';
import type { EntryRow } from '#shared/rpc/contract.ts';
import { formatCount } from '#shared/text/format.ts';
import { Button } from '../../components/button.tsx';
import { EscapedText } from '../../components/escaped-text.tsx';
import { Failure, Refreshing, Skeleton } from '../../components/states.tsx';
import { useQuery } from '../../data/query.ts';
import { escapePieces } from '../../viewmodels/escape-text.ts';
import { callOfRecord } from '../../viewmodels/record-call.ts';
import { RPC_ERROR_WORDS } from '../../viewmodels/words.ts';
import { showCollective } from '../shell/links.ts';

interface RecordPaneProps {
  readonly caseId: CaseId;
  readonly entry: EntryRow;
  /** 0-based. */
  readonly record: number;
  readonly onRecord: (record: number) => void;
  readonly onPlace: (place: string) => void;
}

/** One record of a recorder dump: its fields as they stand, and the stack at its call. */
export function RecordPane({ caseId, entry, record, onRecord, onPlace }: RecordPaneProps) {
  const query = useQuery('entry.record', { caseId, entryId: entry.id, record });
  const view = query.state === 'ready' ? query.value : null;
  const total = view?.total ?? null;
  const call = view === null ? null : callOfRecord(view.fields);
  useEffect(
    () => onPlace(total === null ? '' : `record ${formatCount(record)} of ${formatCount(total)}`),
    [record, total, onPlace],
  );
  const onKeyDown = (event: React.KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey || total === null) return;
    const to = { ArrowDown: record + 1, ArrowUp: record - 1, Home: 0, End: total - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    onRecord(Math.max(0, Math.min(to, total - 1)));
  };
  if (query.state === 'failed') {
    return (
      <div className="raw-state">
        <Failure title="This record cannot be shown" text={RPC_ERROR_WORDS[query.error.code]} />
      </div>
    );
  }
  if (view === null) return <Skeleton words="Reading the record" />;
  return (
    <div className="record">
      {query.state === 'ready' && query.refreshing && <Refreshing />}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys step through the records */}
      <section tabIndex={0} aria-label={`Record ${record}`} onKeyDown={onKeyDown}>
        <h3>Fields of record {formatCount(record)}</h3>
        <dl>
          {view.fields.map((field) => (
            <div key={field.name} className="record-field mono">
              <dt>
                <EscapedText pieces={escapePieces(field.name)} />
              </dt>
              <dd>
                <EscapedText pieces={escapePieces(field.value)} />
              </dd>
            </div>
          ))}
        </dl>
        <div className="dialog-actions">
          <Button kind="outlined" aria-disabled={record === 0} onClick={() => onRecord(Math.max(0, record - 1))}>
            Previous record
          </Button>
          <Button
            kind="outlined"
            aria-disabled={record >= view.total - 1}
            onClick={() => onRecord(Math.min(view.total - 1, record + 1))}
          >
            Next record
          </Button>
          {call !== null && (
            <Button kind="outlined" onClick={() => showCollective(caseId, call.group, call.seq)}>
              Open in Collectives
            </Button>
          )}
        </div>
      </section>
      <section aria-label="Stack">
        <h3>Stack at the call, as recorded</h3>
        {view.frames.length === 0 && <p className="quiet">The record holds no stack.</p>}
        {view.frames.map((frame, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: frames of one immutable stack, in their order
          <div key={index} className="record-frame mono">
            <span className="quiet">{index}</span>
            <span>
              <EscapedText pieces={escapePieces(frame)} />
            </span>
          </div>
        ))}
      </section>
    </div>
  );
}
