import './panels.css';
import { useRef, useState } from 'react';
import type { CaseId } from '#shared/model/ids.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/layers.tsx';
import { bridge } from '../../data/bridge.ts';
import { useCase } from '../../data/cases.ts';
import { copyText } from '../../data/clipboard.ts';
import { forgetEntries } from '../../data/entries.ts';
import { caseOf, selectPlace, useNavigation } from '../../stores/navigation.ts';
import { usePanels } from '../../stores/panels.ts';
import { askDraft } from '../../viewmodels/ask-draft.ts';
import { RPC_ERROR_WORDS } from '../../viewmodels/words.ts';
import { RenameCase } from '../cases/rename-case.tsx';
import { HelpView } from '../help/help-view.tsx';
import { DissentDialog } from '../overview/dissent-dialog.tsx';
import { Palette } from '../palette/palette.tsx';
import { About } from './about.tsx';
import { CloseDuringImport } from './close-during-import.tsx';
import { goToCases } from './commands.ts';
import { GoTo } from './go-to.tsx';
import { NoteDialog } from './note-dialog.tsx';
import { SettingsDialog } from './settings-dialog.tsx';
import { Shortcuts } from './shortcuts-dialog.tsx';

/** The one layer over the screen. */
export function Panels() {
  const panel = usePanels((state) => state.panel);
  switch (panel?.kind) {
    case undefined:
      return null;
    case 'go-to':
      return <GoTo />;
    case 'note':
      return <NoteDialog caseId={panel.caseId} subject={panel.subject} note={panel.note} />;
    case 'dissent':
      return <DissentDialog caseId={panel.caseId} />;
    case 'help':
      return <HelpView key={panel.page} page={panel.page} />;
    case 'about':
      return <About />;
    case 'close-import':
      return <CloseDuringImport jobId={panel.jobId} />;
    case 'settings':
      return <SettingsDialog text={panel.text} />;
    case 'rename-case':
      return <RenameCase caseId={panel.caseId} name={panel.name} />;
    case 'palette':
      return <Palette />;
    case 'shortcuts':
      return <Shortcuts />;
    case 'ask':
      return <Ask />;
    case 'delete-case':
      return <DeleteCase caseId={panel.caseId} name={panel.name} />;
  }
}

/** What to write to the sender, made of the gaps. */
function Ask() {
  const close = usePanels((state) => state.close);
  const caseId = useNavigation((state) => caseOf(selectPlace(state)));
  const opened = useCase(caseId);
  const [copied, setCopied] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  if (opened.state !== 'ready') return null;
  return (
    <Dialog
      title="Ask for what is missing"
      description="Plain text for the sender. Nothing is sent from here; edit it, then copy it."
      width="wide"
      onClose={close}
    >
      <textarea
        ref={field}
        className="ask-text mono"
        aria-label="Text for the sender"
        defaultValue={askDraft(opened.value.report)}
        rows={16}
        spellCheck={false}
      />
      <div className="dialog-actions">
        <Button kind="outlined" onClick={close}>
          Close
        </Button>
        <Button kind="primary" onClick={() => setCopied(copyText(field.current?.value ?? ''))}>
          {copied ? 'Copied' : 'Copy the text'}
        </Button>
      </div>
    </Dialog>
  );
}

function DeleteCase({ caseId, name }: { readonly caseId: CaseId; readonly name: string }) {
  const close = usePanels((state) => state.close);
  const [failure, setFailure] = useState<string | null>(null);
  const onDelete = async () => {
    const answer = await bridge.request('case.delete', { caseId });
    if (!answer.ok) {
      setFailure(RPC_ERROR_WORDS[answer.error.code]);
      return;
    }
    forgetEntries(caseId);
    close();
    if (caseOf(selectPlace(useNavigation.getState())) === caseId) goToCases();
  };
  return (
    <Dialog
      title={`Delete case “${name}”?`}
      description="The case file with its index and notes is deleted. The bundle that it was made of is not touched."
      onClose={close}
    >
      {failure !== null && <div className="failure-text">{failure}</div>}
      <div className="dialog-actions">
        <Button kind="outlined" onClick={close}>
          Keep
        </Button>
        <Button kind="danger" onClick={() => void onDelete()}>
          Delete case
        </Button>
      </div>
    </Dialog>
  );
}
