/** Fetches what the inspector needs of the selected thing, by its kind. */
import type { ReactNode } from 'react';
import { type CaseId, type EntryId, entryId } from '#shared/model/ids.ts';
import type { Report } from '#shared/report/schema.ts';
import type { EntryRow, RecordView } from '#shared/rpc/contract.ts';
import { formatCount } from '#shared/text/format.ts';
import { EscapedText } from '../../components/escaped-text.tsx';
import { Failure, Skeleton } from '../../components/states.tsx';
import { useEntries } from '../../data/entries.ts';
import { useQuery } from '../../data/query.ts';
import type { Selected } from '../../stores/selection.ts';
import { attemptRow } from '../../viewmodels/attempt-rows.ts';
import { escapePieces, escapeText } from '../../viewmodels/escape-text.ts';
import {
  callInspector,
  clockInspector,
  entryInspector,
  type InspectorModel,
  lineInspector,
  rankInspector,
} from '../../viewmodels/inspector.ts';
import { RPC_ERROR_WORDS } from '../../viewmodels/words.ts';
import { showClock, showCollective, showLogs, showOnTimeline, showRank, showSource } from '../shell/links.ts';
import { EvidenceLinks, Links } from './link-rows.tsx';

type Draw = (model: InspectorModel, links: ReactNode, extra: ReactNode) => ReactNode;

interface ThingProps<S extends Selected = Selected> {
  readonly caseId: CaseId;
  readonly report: Report;
  readonly selected: S;
  readonly children: Draw;
}

export function SelectedThing(props: ThingProps) {
  const { selected } = props;
  switch (selected.kind) {
    case 'rank':
      return <RankThing {...props} selected={selected} />;
    case 'clock':
      return <ClockThing {...props} selected={selected} />;
    case 'call':
      return <CallThing {...props} selected={selected} />;
    case 'line':
      return <LineThing {...props} selected={selected} />;
    case 'entry':
      return <EntryThing {...props} selected={selected} />;
  }
}

type Of<K extends Selected['kind']> = ThingProps<Extract<Selected, { readonly kind: K }>>;

function RankThing({ caseId, report, selected, children }: Of<'rank'>) {
  const { rank } = selected;
  const model = rankInspector(report, rank);
  const row = attemptRow(report, rank);
  return children(
    model,
    <>
      <Links
        items={[
          { label: 'Show on the timeline', act: () => showOnTimeline(caseId, row?.lastSeen ?? null) },
          { label: 'Show its log lines', act: () => showLogs(caseId, { query: `rank:${rank}` }) },
          { label: 'Show it in the map of ranks', act: () => showRank(caseId, rank) },
          ...(row?.clock == null ? [] : [{ label: 'Show its clock', act: () => showClock(caseId, row.clock ?? '') }]),
        ]}
      />
      <EvidenceLinks caseId={caseId} rows={model.evidence} files={model.files} />
    </>,
    null,
  );
}

function ClockThing({ caseId, report, selected, children }: Of<'clock'>) {
  const model = clockInspector(report, selected.clock);
  return children(
    model,
    <Links items={[{ label: 'Show its anchors', act: () => showClock(caseId, selected.clock) }]} />,
    null,
  );
}

function CallThing({ caseId, report, selected, children }: Of<'call'>) {
  const { record } = selected;
  const query = useQuery('entry.record', record === null ? null : { caseId, ...record });
  const view = record !== null && query.state === 'ready' ? query.value : null;
  const model = callInspector(report, selected, view);
  return children(
    model,
    <>
      <Links
        items={[
          { label: 'Compare with its peers', act: () => showCollective(caseId, selected.group, selected.seq) },
          { label: 'Show the rank', act: () => showRank(caseId, selected.rank) },
          ...(record === null
            ? []
            : [
                {
                  label: 'Open the record',
                  note: `record ${formatCount(record.record)}`,
                  act: () => showSource(caseId, record.entryId, { kind: 'record', record: record.record }),
                },
              ]),
        ]}
      />
      <EvidenceLinks caseId={caseId} rows={model.evidence} files={model.files} />
    </>,
    record === null ? (
      <p className="inspector-section quiet">The dump of this rank holds no record of this call.</p>
    ) : query.state === 'failed' ? (
      <Problem code={query.error.code} />
    ) : view === null ? (
      <Skeleton words="Reading the record" rows={3} />
    ) : (
      <Stack frames={view.frames} />
    ),
  );
}

function Stack({ frames }: { readonly frames: RecordView['frames'] }) {
  return (
    <section className="inspector-section" aria-label="Stack">
      <h3>Stack at entry</h3>
      {frames.length === 0 && <p className="quiet">The record holds no stack.</p>}
      {frames.map((frame, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: frames of one immutable stack, in their order
        <div key={index} className="inspector-frame mono-11">
          <span className="quiet">{index}</span>
          <span className="selectable">
            <EscapedText pieces={escapePieces(frame)} />
          </span>
        </div>
      ))}
    </section>
  );
}

const LINES_AROUND = 3;

function LineThing({ caseId, report, selected, children }: Of<'line'>) {
  const { line } = selected;
  const entry = useEntry(caseId, selected.entryId);
  const fromLine = Math.max(1, line - LINES_AROUND);
  const query = useQuery('entry.text', { caseId, entryId: selected.entryId, fromLine, maxLines: LINES_AROUND * 2 + 1 });
  const model = lineInspector(report, entry?.path ?? '', selected.entryId, line);
  return children(
    model,
    <>
      <Links
        items={[
          {
            label: 'Open the file at this line',
            act: () => showSource(caseId, selected.entryId, { kind: 'line', line }),
          },
          {
            label: 'Show among all log lines',
            act: () => showLogs(caseId, { at: { entryId: selected.entryId, line } }),
          },
        ]}
      />
      <EvidenceLinks caseId={caseId} rows={model.evidence} files={[]} />
    </>,
    query.state === 'failed' ? (
      <Problem code={query.error.code} />
    ) : query.state === 'loading' ? (
      <Skeleton words="Reading the line" rows={3} />
    ) : (
      <section className="inspector-section" aria-label="Text">
        {query.value.lines.map((item) => (
          <div key={item.line} className="inspector-line mono-11" data-current={item.line === line}>
            <span className="quiet">{item.line}</span>
            <span className="selectable">
              <EscapedText pieces={escapePieces(item.text.slice(0, 2000))} />
              {(item.cut || item.text.length > 2000) && <span className="quiet"> … longer</span>}
            </span>
          </div>
        ))}
      </section>
    ),
  );
}

function EntryThing({ caseId, report, selected, children }: Of<'entry'>) {
  const entry = useEntry(caseId, selected.entryId);
  if (entry === null) return <Skeleton words="Reading the file list" rows={3} />;
  const model = entryInspector(report, entry);
  return children(
    model,
    <>
      <Links
        items={[{ label: 'Open the file', act: () => showSource(caseId, entryId(entry.id), { kind: 'whole' }) }]}
      />
      <EvidenceLinks caseId={caseId} rows={model.evidence} files={[]} />
    </>,
    entry.sha256 === null ? null : (
      <p className="inspector-section mono-11 quiet selectable inspector-hash">{escapeText(entry.sha256)}</p>
    ),
  );
}

function useEntry(caseId: CaseId, id: EntryId): EntryRow | null {
  return useEntries(caseId).rows.find((row) => row.id === id) ?? null;
}

function Problem({ code }: { readonly code: keyof typeof RPC_ERROR_WORDS }) {
  return (
    <div className="inspector-section">
      <Failure title="This cannot be read" text={RPC_ERROR_WORDS[code]} />
    </div>
  );
}
