import './custody-log.css';
import { useState } from 'react';
import type { CaseId } from '#shared/model/ids.ts';
import type { CustodyEntry } from '#shared/rpc/areas/export.ts';
import { formatCount } from '#shared/text/format.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/layers.tsx';
import { Empty } from '../../components/states.tsx';
import { copyText } from '../../data/clipboard.ts';
import { useCustody } from '../../data/exports.ts';
import { escapeText } from '../../viewmodels/escape-text.ts';

/** Opens what was done with the bundle on this machine, in its order. */
export function CustodyButton({ caseId }: { readonly caseId: CaseId }) {
  const [open, setOpen] = useState(false);
  const entries = useCustody(caseId);
  return (
    <>
      <Button kind="plain" className="custody-button" onClick={() => setOpen(true)}>
        Custody log <span className="quiet">{formatCount(entries.length)}</span>
      </Button>
      {open && <CustodyDialog entries={entries} onClose={() => setOpen(false)} />}
    </>
  );
}

function CustodyDialog({
  entries,
  onClose,
}: {
  readonly entries: readonly CustodyEntry[];
  readonly onClose: () => void;
}) {
  const [copied, setCopied] = useState(false);
  return (
    <Dialog
      title="Custody log"
      description="What was done with this bundle: imports with their hash, new analyses, clock settings, exports. Lines are added and never changed."
      width="wide"
      onClose={onClose}
    >
      {entries.length === 0 ? (
        <Empty title="Nothing is noted" text="This case was imported by a version that kept no log of imports." />
      ) : (
        <section
          className="custody-lines selectable"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a long list is scrolled with the keys
          tabIndex={0}
          aria-label="Lines of the custody log"
        >
          <CustodyList entries={entries} />
        </section>
      )}
      <div className="dialog-actions">
        <Button kind="outlined" onClick={() => setCopied(copyText(textOf(entries)))}>
          {copied ? 'Copied' : 'Copy'}
        </Button>
        <Button kind="primary" onClick={onClose}>
          Close
        </Button>
      </div>
    </Dialog>
  );
}

/** Newest first. */
export function CustodyList({ entries }: { readonly entries: readonly CustodyEntry[] }) {
  return (
    <ol className="custody-list">
      {[...entries].reverse().map((entry) => (
        <li key={`${entry.at} ${entry.action} ${entry.result}`}>
          <time>{timeOf(entry)}</time>
          <b>{entry.action}</b>
          <span className="custody-what">
            {entry.inputs !== '' && <span>{escapeText(entry.inputs)}</span>}
            <span>{escapeText(entry.result)}</span>
          </span>
          <small>version {entry.version}</small>
        </li>
      ))}
    </ol>
  );
}

const timeOf = ({ at }: CustodyEntry): string => `${at.replace('T', ' ').slice(0, 19)} UTC`;

/** One line each, oldest first. */
const textOf = (entries: readonly CustodyEntry[]): string =>
  entries
    .map((entry) => [timeOf(entry), entry.action, entry.inputs, entry.result, `version ${entry.version}`])
    .map((parts) =>
      parts
        .filter((part) => part !== '')
        .map(escapeText)
        .join(' · '),
    )
    .join('\n');
