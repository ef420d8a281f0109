import { useState } from 'react';
import type { CaseId } from '#shared/model/ids.ts';
import { Button } from '../../components/button.tsx';
import { TextField } from '../../components/fields.tsx';
import { Dialog } from '../../components/layers.tsx';
import { bridge } from '../../data/bridge.ts';
import { askAgain } from '../../data/query.ts';
import { usePanels } from '../../stores/panels.ts';
import { RPC_ERROR_WORDS } from '../../viewmodels/words.ts';

/** The name of a case in lists and titles; reports keep the name of the bundle. */
export function RenameCase({ caseId, name }: { readonly caseId: CaseId; readonly name: string }) {
  const close = usePanels((state) => state.close);
  const [text, setText] = useState(name);
  const [failure, setFailure] = useState<string | null>(null);
  const rename = async () => {
    const answer = await bridge.request('case.edit', { caseId, name: text.slice(0, 200), pinned: null });
    if (!answer.ok) {
      setFailure(RPC_ERROR_WORDS[answer.error.code]);
      return;
    }
    askAgain('case.open');
    close();
  };
  return (
    <Dialog title="Rename case" description="An empty name brings the name of the bundle back." onClose={close}>
      <TextField label="Name" value={text} autoFocus onChange={setText} onEnter={() => void rename()} />
      {failure !== null && <div className="failure-text">{failure}</div>}
      <div className="dialog-actions">
        <Button kind="outlined" onClick={close}>
          Keep the name
        </Button>
        <Button kind="primary" onClick={() => void rename()}>
          Rename case
        </Button>
      </div>
    </Dialog>
  );
}
