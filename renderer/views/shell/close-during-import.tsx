import { useEffect, useState } from 'react';
import type { JobId } from '#shared/model/ids.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/layers.tsx';
import { bridge } from '../../data/bridge.ts';
import { useJob } from '../../data/jobs.ts';
import { usePanels } from '../../stores/panels.ts';

/** Asked once when a window is closed while an import runs: the engine lives as long as the last window. */
export function CloseDuringImport({ jobId }: { readonly jobId: JobId }) {
  const close = usePanels((state) => state.close);
  const [wanted, setWanted] = useState(false);
  const job = useJob(jobId);
  const kind = job?.state.kind;
  // Everything that was read is on disk once the engine says that it stands still.
  useEffect(() => {
    if (wanted && kind !== 'running' && kind !== 'queued') bridge.windowControl('close');
  }, [wanted, kind]);
  const pauseAndClose = () => {
    setWanted(true);
    void bridge.request('job.pause', { jobId, paused: true });
  };
  const cancelAndClose = async () => {
    await bridge.request('job.cancel', { jobId });
    bridge.windowControl('close');
  };
  return (
    <Dialog
      title="An import is still running"
      description="It ends with the last window. Paused, it goes on from the case list at the next start, and finished files are not read again. The bundle is not changed either way."
      onClose={close}
    >
      <div className="dialog-actions">
        <Button kind="danger" onClick={() => void cancelAndClose()}>
          Cancel the import and close
        </Button>
        <Button kind="outlined" aria-disabled={wanted} onClick={pauseAndClose}>
          {wanted ? 'Pausing' : 'Pause and close'}
        </Button>
        <Button
          kind="outlined"
          autoFocus
          onClick={() => {
            close();
            bridge.windowControl('minimize');
          }}
        >
          Import in the background
        </Button>
      </div>
    </Dialog>
  );
}

/** The close button of the window. */
export function closeWindow(running: JobId | null): void {
  if (running === null) bridge.windowControl('close');
  else usePanels.getState().open({ kind: 'close-import', jobId: running });
}
