import './import-view.css';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, useState } from 'react';
import type { JobId } from '#shared/model/ids.ts';
import type { JobState } from '#shared/model/job.ts';
import { ENTRY_STATUS_WORD } from '#shared/text/entry-text.ts';
import { formatCount } from '#shared/text/format.ts';
import { Button } from '../../components/button.tsx';
import { Segmented } from '../../components/fields.tsx';
import { FileStatus, StepGlyph } from '../../components/glyphs.tsx';
import { MiddleCut } from '../../components/middle-cut.tsx';
import { Failure, Skeleton } from '../../components/states.tsx';
import { bridge } from '../../data/bridge.ts';
import { copyText } from '../../data/clipboard.ts';
import { useJob, type WatchedJob } from '../../data/jobs.ts';
import { useNavigation } from '../../stores/navigation.ts';
import { escapeText } from '../../viewmodels/escape-text.ts';
import { type ImportFileRow, type ImportModel, importFileRows, importModel } from '../../viewmodels/import-progress.ts';
import { JOB_FAILURE_WORDS } from '../../viewmodels/words.ts';
import { goToCases, openBundle } from '../shell/commands.ts';
import { useShownKeys } from '../shell/platform.ts';
import { useRowHeight } from '../shell/use-row-height.ts';
import { CancelDialog, Question, SoFar } from './import-panels.tsx';

/** One import while it runs; when it is done, the case takes its place. */
export function ImportView({ jobId }: { readonly jobId: JobId }) {
  const job = useJob(jobId);
  const replace = useNavigation((state) => state.replace);
  const done = job?.state.kind === 'done' ? job.state.caseId : null;
  useEffect(() => {
    if (done !== null) replace({ screen: 'overview', caseId: done });
  }, [done, replace]);
  if (job === null) {
    return (
      <main className="screen">
        <Skeleton words="Asking for the import" />
      </main>
    );
  }
  return <RunningImport job={job} />;
}

function RunningImport({ job }: { readonly job: WatchedJob }) {
  const [only, setOnly] = useState<'all' | 'trouble'>('all');
  const model = importModel(job);
  const rows = importFileRows(job.files, only);
  const { state } = job;
  const running = state.kind === 'running' || state.kind === 'queued' || state.kind === 'paused';
  const question = state.kind === 'running' || state.kind === 'paused' ? state.question : undefined;
  return (
    <main className="import screen" data-pane="import">
      <Head model={model} job={job} running={running} />
      {question !== undefined && <Question jobId={state.jobId} question={question} />}
      {model.soFar !== null && <SoFar model={model.soFar} />}
      <div className="import-stages">
        {model.stages.map((stage) => (
          <span key={stage.phase} className="import-stage" data-state={stage.state}>
            <StepGlyph state={stage.state} />
            {stage.word}
            {stage.note !== '' && <span className="quiet">{stage.note}</span>}
          </span>
        ))}
        <div data-end="">
          <Segmented
            label="Files shown"
            value={only}
            options={[
              { value: 'all', label: `All ${formatCount(job.files.length)}` },
              { value: 'trouble', label: 'Not plainly read' },
            ]}
            onChoose={setOnly}
          />
        </div>
      </div>
      <Files rows={rows} follow={running && only === 'all'} />
      {state.kind === 'failed' && (
        <Result
          title={JOB_FAILURE_WORDS[state.code].title}
          text={`${state.detail === '' ? '' : `${escapeText(state.detail)} `}${JOB_FAILURE_WORDS[state.code].next}`}
          copy={`${state.code}: ${state.detail}`}
        />
      )}
      {state.kind === 'cancelled' && (
        <Result
          title="The import was cancelled"
          text="Nothing of it was kept. The bundle was not changed."
          copy={null}
        />
      )}
    </main>
  );
}

function Head({
  model,
  job,
  running,
}: {
  readonly model: ImportModel;
  readonly job: WatchedJob;
  readonly running: boolean;
}) {
  const { jobId } = job.state;
  const percent = Math.floor(model.fraction * 100);
  return (
    <div className="import-head">
      <div className="import-title-row">
        <div className="cut">
          <h1 className="import-title">{model.title}</h1>
          <p className="import-subtitle">{model.subtitle}</p>
        </div>
        {running && <Controls jobId={jobId} model={model} state={job.state} />}
      </div>
      <div
        className="progress"
        data-ended={!running}
        role="progressbar"
        aria-label="Import"
        aria-valuenow={percent}
        aria-valuemin={0}
        aria-valuemax={100}
      >
        <div className="progress-bar" style={{ width: `${model.fraction * 100}%` }} />
      </div>
      <div className="import-numbers tabular">
        {model.numbers.map((text) => (
          <span key={text}>{text}</span>
        ))}
        {model.trouble !== '' && <span data-end="">{model.trouble}</span>}
      </div>
      <Announcer percent={percent} state={job.state.kind} />
    </div>
  );
}

/** Stand still, go on, end. What was asked for is shown at once; it holds when the state says so. */
function Controls({
  jobId,
  model,
  state,
}: {
  readonly jobId: JobId;
  readonly model: ImportModel;
  readonly state: JobState;
}) {
  const [wanted, setWanted] = useState<'paused' | 'running' | 'ended' | null>(null);
  const [asking, setAsking] = useState(false);
  const paused = state.kind === 'paused';
  const ending = wanted === 'ended';
  const pausing = wanted === 'paused' && !paused;
  const asks = 'question' in state && state.question !== undefined;
  const canKeep = 'progress' in state && state.progress.filesDone > 0;
  const pause = (on: boolean) => {
    setWanted(on ? 'paused' : 'running');
    void bridge.request('job.pause', { jobId, paused: on });
  };
  const end = (keep: boolean) => {
    setAsking(false);
    setWanted('ended');
    void bridge.request(keep ? 'job.stop' : 'job.cancel', { jobId });
  };
  return (
    <div className="import-controls">
      {!asks && state.kind !== 'queued' && (
        <Button kind="outlined" aria-disabled={ending || pausing} onClick={() => pause(!paused)}>
          {paused ? 'Resume' : pausing ? 'Pausing' : 'Pause'}
        </Button>
      )}
      <Button kind="outlined" aria-disabled={ending} onClick={() => (canKeep ? setAsking(true) : end(false))}>
        {ending ? 'Ending' : 'Cancel'}
      </Button>
      {asking && (
        <CancelDialog
          read={model.numbers[0] ?? ''}
          onKeep={() => end(true)}
          onDiscard={() => end(false)}
          onClose={() => setAsking(false)}
        />
      )}
    </div>
  );
}

/** Speaks at the start, at each quarter, at the end and on failure; not in between. */
function Announcer({ percent, state }: { readonly percent: number; readonly state: string }) {
  const quarter = Math.floor(percent / 25) * 25;
  const words = {
    queued: 'Import waits',
    paused: 'Import paused',
    running: quarter === 0 ? 'Import started' : `Import ${quarter} percent`,
    done: 'Import done',
    failed: 'Import failed',
    cancelled: 'Import cancelled',
  }[state];
  return (
    <div className="sr-only" role="status">
      {words}
    </div>
  );
}

/** Keeps to the end while files come in, until the user scrolls up. */
function Files({ rows, follow }: { readonly rows: readonly ImportFileRow[]; readonly follow: boolean }) {
  const scroller = useRef<HTMLDivElement>(null);
  const atEnd = useRef(true);
  const height = useRowHeight('row');
  const list = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    overscan: 12,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: measured again when the height changes
  useEffect(() => list.measure(), [height]);
  useEffect(() => {
    const element = scroller.current;
    if (element && follow && atEnd.current && rows.length > 0) element.scrollTop = element.scrollHeight;
  }, [rows.length, follow]);
  return (
    <div
      ref={scroller}
      className="import-files"
      onScroll={(event) => {
        const { scrollTop, scrollHeight, clientHeight } = event.currentTarget;
        atEnd.current = scrollHeight - scrollTop - clientHeight < 40;
      }}
    >
      <div className="import-file-head">
        <span>File</span>
        <span>Kind</span>
        <span className="number">Size</span>
        <span>Status</span>
        <span>Detail</span>
      </div>
      <div style={{ height: list.getTotalSize(), position: 'relative' }}>
        {list.getVirtualItems().map((item) => {
          const row = rows[item.index];
          return row ? (
            <div
              key={row.key}
              style={{ position: 'absolute', top: 0, left: 0, right: 0, transform: `translateY(${item.start}px)` }}
            >
              <FileRow row={row} />
            </div>
          ) : null;
        })}
      </div>
    </div>
  );
}

function FileRow({ row }: { readonly row: ImportFileRow }) {
  const trouble =
    row.status !== 'read' && row.status !== 'reading' && row.status !== 'skipped' && row.status !== 'duplicate';
  const word = row.status === 'reading' ? 'reading' : row.status === 'warned' ? ENTRY_STATUS_WORD.warned : row.status;
  return (
    <div className="import-file" data-trouble={trouble}>
      <span className="import-path mono">
        <MiddleCut text={row.path} tail={20} />
      </span>
      <span className="cut">{row.kind}</span>
      <span className="number">{row.size}</span>
      <FileStatus status={row.status} word={word} />
      <span className="import-detail cut" title={row.detail}>
        {row.detail}
      </span>
    </div>
  );
}

function Result({
  title,
  text,
  copy,
}: {
  readonly title: string;
  readonly text: string;
  readonly copy: string | null;
}) {
  const keys = useShownKeys();
  return (
    <div className="import-result">
      <Failure title={title} text={text} onCopy={copy === null ? undefined : () => copyText(copy)}>
        <Button kind="primary" keys={keys('Mod+O')} onClick={() => void openBundle('file')}>
          Open another bundle…
        </Button>
        <Button kind="outlined" onClick={goToCases}>
          Show all cases
        </Button>
      </Failure>
    </div>
  );
}
