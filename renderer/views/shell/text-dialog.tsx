/** A dialog around one text that is stored in the case: what is written, what went wrong, discard or save (Ctrl Enter). */
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { MAX_NOTE_TEXT } from '#shared/model/note.ts';
import type { RpcErrorCode } from '#shared/rpc/contract.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/layers.tsx';
import { usePanels } from '../../stores/panels.ts';
import { RPC_ERROR_WORDS } from '../../viewmodels/words.ts';
import { useShownKeys } from './platform.ts';

type Saved = { readonly ok: true } | { readonly ok: false; readonly error: { readonly code: RpcErrorCode } };

interface TextDialogProps {
  readonly title: string;
  readonly description: string;
  readonly label: ReactNode;
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly mayBeEmpty?: boolean;
  readonly saveLabel: string;
  readonly onSave: () => Promise<Saved>;
  /** Above the text. */
  readonly children?: ReactNode;
}

/** Closes once it is saved; a failure stays in sight beside the text. */
export function TextDialog(props: TextDialogProps) {
  const { title, description, label, text, onText, mayBeEmpty = false, saveLabel, onSave, children } = props;
  const close = usePanels((state) => state.close);
  const keys = useShownKeys();
  const [failure, setFailure] = useState<string | null>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus(), []);
  const empty = text.trim() === '' && !mayBeEmpty;
  const save = async () => {
    if (empty) return;
    const answer = await onSave();
    if (answer.ok) close();
    else setFailure(RPC_ERROR_WORDS[answer.error.code]);
  };
  return (
    <Dialog title={title} description={description} onClose={close}>
      {children}
      <label className="text-field">
        {label}
        <textarea
          ref={field}
          rows={5}
          maxLength={MAX_NOTE_TEXT}
          value={text}
          onChange={(event) => onText(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void save();
          }}
        />
      </label>
      {failure !== null && <div className="failure-text">{failure}</div>}
      <div className="dialog-actions">
        <Button kind="outlined" onClick={close}>
          Discard
        </Button>
        <Button kind="primary" keys={keys('Mod+Enter')} aria-disabled={empty} onClick={() => void save()}>
          {saveLabel}
        </Button>
      </div>
    </Dialog>
  );
}
