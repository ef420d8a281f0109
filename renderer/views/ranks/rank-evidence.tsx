/** The last words of a rank: the end of its log, and where its newest record stood in the program. */
import { useEffect } from 'react';
import { type CaseId, entryId } from '#shared/model/ids.ts';
import type { ListChoice, LogRow } from '#shared/rpc/areas/logs.ts';
import { formatCount } from '#shared/text/format.ts';
import { useLogRows, useLogSearch } from '../../data/log-search.ts';
import { useQuery } from '../../data/query.ts';
import { useSelection } from '../../stores/selection.ts';
import { escapeText } from '../../viewmodels/escape-text.ts';
import { escapeLine, gapWords, LEVEL_LETTER, rowTime } from '../../viewmodels/logs/line-rows.ts';
import { showSource } from '../shell/links.ts';

const TAIL_ROWS = 8;
const MAX_TEXT = 400;
const none = () => null;

interface RankProps {
  readonly caseId: CaseId;
  readonly rank: number;
}

/** Only the files that may hold a line of the rank are searched. Null while nothing is found. */
export function LogTail({ caseId, rank }: RankProps) {
  const basis = useSelection((state) => state.basis);
  const opened = useQuery('logs.open', { caseId });
  const list: ListChoice = { basis, fold: true, open: [] };
  const search = useLogSearch(
    { caseId, query: '', regex: false, matchCase: false, basis, ranks: [rank], range: null },
    list,
    none,
  );
  const rows = useLogRows(search, list);
  const total = search.state?.rows ?? 0;
  const done = search.state !== null && search.state.status !== 'searching';
  const from = Math.max(0, total - TAIL_ROWS);
  const { want } = rows;
  useEffect(() => {
    if (done && total > 0) want(from, total);
  }, [done, want, from, total]);
  if (opened.state !== 'ready') return null;
  const shown = done ? Array.from({ length: total - from }, (_, i) => rows.row(from + i)) : [];
  return (
    <section className="rank-card-section" aria-label="Log tail">
      <h3>
        Log tail{' '}
        <span className="quiet">
          {!done
            ? 'searching'
            : search.state?.matches === 0
              ? 'no line names this rank'
              : `${formatCount(search.state?.matches ?? 0)} lines in all`}
        </span>
      </h3>
      {shown.map((row, i) =>
        row === undefined ? null : (
          // biome-ignore lint/suspicious/noArrayIndexKey: the last rows of one finished search
          <TailRow key={i} caseId={caseId} row={row} originNs={opened.value.originNs} />
        ),
      )}
    </section>
  );
}

function TailRow({
  caseId,
  row,
  originNs,
}: {
  readonly caseId: CaseId;
  readonly row: LogRow;
  readonly originNs: string;
}) {
  if (row.kind === 'fold') return <p className="rank-tail-gap quiet">{`and ${formatCount(row.count)} similar`}</p>;
  if (row.kind === 'gap') return <p className="rank-tail-gap quiet">{gapWords(row, false)}</p>;
  return (
    <button
      type="button"
      className="rank-tail-row mono-11"
      title={`Line ${row.line}, byte ${row.byte}`}
      onClick={() => showSource(caseId, row.entryId, { kind: 'line', line: row.line })}
    >
      <span className="quiet">{row.continues ? '' : rowTime(originNs, row.timeNs, row.resolutionNs)}</span>
      <span className="log-level" data-level={row.level ?? 'none'}>
        {row.level !== null && !row.continues && LEVEL_LETTER[row.level]}
      </span>
      <span className="rank-tail-text">{escapeLine(row.text.slice(0, MAX_TEXT))}</span>
    </button>
  );
}

interface StackProps extends RankProps {
  readonly group: string;
  readonly seq: number;
}

/** The stack that the rank's recorder kept with its newest call up to `seq`; it opens at that record. Null where there is none. */
export function LastStack({ caseId, rank, group, seq }: StackProps) {
  const answer = useQuery('collectives.call', { caseId, group, seq, part: 0, pair: null, ranks: [rank] });
  const side = answer.state === 'ready' ? answer.value?.sides[0] : undefined;
  const entry = side?.entry;
  const record = side?.record;
  const view = useQuery(
    'entry.record',
    entry === undefined || record === undefined ? null : { caseId, entryId: entryId(entry), record },
  );
  if (view.state !== 'ready' || view.value.frames.length === 0 || entry === undefined || record === undefined)
    return null;
  const number = view.value.fields.find(({ name }) => name === 'collective_seq_id')?.value;
  return (
    <section className="rank-card-section" aria-label="Stack">
      <h3>
        Stack of its newest record{' '}
        <span className="quiet">{number === undefined ? '' : `at #${escapeText(number)}`}</span>
      </h3>
      <button
        type="button"
        className="rank-stack mono-11"
        title={`Record ${record}`}
        onClick={() => showSource(caseId, entryId(entry), { kind: 'record', record })}
      >
        {view.value.frames.map((frame, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: frames of one immutable stack, in their order
          <span key={i}>{escapeText(frame)}</span>
        ))}
      </button>
    </section>
  );
}
