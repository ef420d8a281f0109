import { useEffect, useState } from 'react';
import type { UnfinishedImport } from '#shared/rpc/areas/imports.ts';
import { formatCount, plural } from '#shared/text/format.ts';
import { Button } from '../../components/button.tsx';
import { bridge } from '../../data/bridge.ts';
import { useQuery } from '../../data/query.ts';
import { escapeText } from '../../viewmodels/escape-text.ts';
import { calendarDay } from '../../viewmodels/times.ts';
import { showImport } from '../shell/commands.ts';

/** Imports that a crash or a pause left behind: each can go on where it stopped. Nothing at all where there are none. */
export function UnfinishedImports() {
  const [changes, setChanges] = useState(0);
  useEffect(() => bridge.subscribe('cases.changed', () => setChanges((count) => count + 1)), []);
  const unfinished = useQuery('job.unfinished', {}, changes);
  if (unfinished.state !== 'ready' || unfinished.value.imports.length === 0) return null;
  return (
    <section className="unfinished" aria-label="Unfinished imports">
      {unfinished.value.imports.map((one) => (
        <UnfinishedRow key={one.jobId} unfinished={one} />
      ))}
    </section>
  );
}

function UnfinishedRow({ unfinished }: { readonly unfinished: UnfinishedImport }) {
  const { jobId, title, filesDone, filesTotal, wasPaused, lastAt } = unfinished;
  const read =
    filesTotal === null ? plural(filesDone, 'file') : `${formatCount(filesDone)} of ${plural(filesTotal, 'file')}`;
  const takeUp = async () => {
    const answer = await bridge.request('job.take-up', { jobId });
    if (answer.ok) showImport(answer.value.jobId);
  };
  return (
    <div className="unfinished-row">
      <div className="unfinished-words">
        <strong className="cut">{escapeText(title)}</strong>
        <span className="quiet">
          {`${wasPaused ? 'Paused' : 'Interrupted'} on ${calendarDay(lastAt)} after ${read}; finished files are not read again.`}
        </span>
      </div>
      <Button kind="plain" onClick={() => void bridge.request('job.forget', { jobId })}>
        Discard
      </Button>
      <Button kind="outlined" onClick={() => void takeUp()}>
        Resume import
      </Button>
    </div>
  );
}
