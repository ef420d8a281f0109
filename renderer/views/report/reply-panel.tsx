import { Copy, X } from 'lucide-react';
import { useState } from 'react';
import type { CaseId } from '#shared/model/ids.ts';
import { Button, IconButton } from '../../components/button.tsx';
import { copyText } from '../../data/clipboard.ts';
import { useNotices } from '../../stores/notices.ts';
import { useReplyDrafts } from '../../stores/reply-drafts.ts';
import type { SaveState } from './report-view.tsx';

interface ReplyPanelProps {
  readonly caseId: CaseId;
  readonly generated: string;
  readonly edited: string | null;
  readonly redacted: boolean;
  readonly stopped: boolean;
  readonly saving: SaveState;
  readonly onClose: () => void;
}

/** Plain text that a person changes, copies or saves. Nothing is sent. */
export function ReplyPanel({ caseId, generated, edited, redacted, stopped, saving, onClose }: ReplyPanelProps) {
  const edit = useReplyDrafts((state) => state.edit);
  const text = edited ?? generated;
  const [taken, setTaken] = useState<string | null>(null);
  const copy = (): void => {
    const done = copyText(text);
    if (done) setTaken(text);
    useNotices.getState().show(done ? 'Reply copied' : 'The system refused the clipboard');
  };
  const saved = saving.last?.form === 'reply' && saving.last.answer.state === 'saved';
  return (
    <section className="reply-panel" aria-label="Reply to the sender" data-pane="reply">
      <div className="reply-head" data-edited={edited !== null}>
        <b>Reply to the sender</b>
        <span className="reply-about">
          {aboutWords(redacted, edited !== null)}
          {edited !== null && edited !== taken && !saved && (
            <span className="reply-unsaved">edited, not copied or saved yet</span>
          )}
        </span>
        <span className="reply-actions">
          {edited !== null && (
            <Button kind="plain" onClick={() => edit(caseId, null)}>
              Take edits back
            </Button>
          )}
          <Button
            kind="plain"
            aria-disabled={stopped || saving.saving !== null}
            title={stopped ? 'A section could not be scanned' : undefined}
            onClick={() => !stopped && saving.save('reply', edited)}
          >
            Save…
          </Button>
          <Button
            kind="plain"
            aria-disabled={stopped}
            title={stopped ? 'A section could not be scanned' : undefined}
            onClick={() => !stopped && copy()}
          >
            <Copy className="icon-14" strokeWidth={1.75} aria-hidden="true" /> Copy
          </Button>
          <IconButton label="Close the reply" onClick={onClose}>
            <X className="icon-14" strokeWidth={1.75} />
          </IconButton>
        </span>
      </div>
      <textarea
        className="reply-text"
        aria-label="Reply to the sender"
        value={text}
        spellCheck={false}
        onChange={(event) => edit(caseId, event.currentTarget.value === generated ? null : event.currentTarget.value)}
      />
    </section>
  );
}

/** What is typed here is scanned when it is saved; the clipboard takes it as it stands, and that is said. */
function aboutWords(redacted: boolean, isEdited: boolean): string {
  if (!redacted) return 'plain text, not redacted';
  return isEdited
    ? 'your edits are redacted when saved, copied as typed'
    : 'plain text, redacted with the same stand-ins';
}
