import type { JobId } from '#shared/model/ids.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/layers.tsx';
import { bridge } from '../../data/bridge.ts';
import { usePanels } from '../../stores/panels.ts';

/** Asked once when a window is closed while an import runs: the engine lives as long as the last window. */
export function CloseDuringImport({ jobId }: { readonly jobId: JobId }) {
  const close = usePanels((state) => state.close);
  const cancelAndClose = async () => {
    await bridge.request('job.cancel', { jobId });
    bridge.windowControl('close');
  };
  return (
    <Dialog
      title="An import is still running"
      description="If this is the last window, closing it ends the import, and nothing of it is kept. The bundle is not changed either way."
      onClose={close}
    >
      <div className="dialog-actions">
        <Button kind="danger" onClick={() => void cancelAndClose()}>
          Cancel the import and close
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
