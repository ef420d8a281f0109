import './raw-viewer.css';
import { X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { CaseId } from '#shared/model/ids.ts';
import type { EntryRow } from '#shared/rpc/contract.ts';
import { plural, shortenHash } from '#shared/text/format.ts';
import { Button, IconButton } from '../../components/button.tsx';
import { Segmented } from '../../components/fields.tsx';
import { FileStatus } from '../../components/glyphs.tsx';
import { Menu, MenuItem } from '../../components/layers.tsx';
import { copyText } from '../../data/clipboard.ts';
import type { RawTarget } from '../../stores/navigation.ts';
import { escapeText } from '../../viewmodels/escape-text.ts';
import { placeText } from '../../viewmodels/evidence-rows.ts';
import type { Citation } from '../../viewmodels/file-rows.ts';
import {
  goToLabel,
  modeFor,
  modeHurdles,
  parsePlace,
  RAW_MODE_WORDS,
  RAW_MODES,
  type RawMode,
} from '../../viewmodels/raw-view.ts';
import { overrideCommand } from '../shell/commands.ts';
import { HexView } from './hex-view.tsx';
import { rawTarget } from './raw-target.ts';
import { RecordPane } from './record-pane.tsx';
import { TextView } from './text-view.tsx';

interface RawViewerProps {
  readonly caseId: CaseId;
  readonly entry: EntryRow;
  readonly target: RawTarget;
  readonly citations: readonly Citation[];
  /** Another place in the same file, without a step of history. */
  readonly onMove: (target: RawTarget) => void;
  /** Another place, with a step. */
  readonly onGo: (target: RawTarget) => void;
  readonly onClose: () => void;
}

/** One file as it is: lines, bytes or records. Nothing in it is run, rendered or followed. */
export function RawViewer({ caseId, entry, target, citations, onMove, onGo, onClose }: RawViewerProps) {
  const mode = modeFor(entry, target.mode);
  const [place, setPlace] = useState('');
  const onKeyDown = (event: React.KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented) return;
    event.preventDefault();
    if (target.line !== null || target.byte !== null) onMove({ ...target, line: null, byte: null });
    else onClose();
  };
  return (
    <section
      className="raw-viewer"
      aria-label={`Content of ${escapeText(entry.path)}`}
      data-pane="raw"
      onKeyDown={onKeyDown}
    >
      <Bar
        entry={entry}
        mode={mode}
        place={place}
        target={target}
        citations={citations}
        onGo={onGo}
        onClose={onClose}
      />
      <StatusLine entry={entry} />
      <div className="raw-body">
        {mode === 'text' && (
          <TextView
            caseId={caseId}
            entry={entry}
            selected={target.line}
            citations={citations}
            onSelect={(line) => onMove({ ...target, mode, line, byte: null })}
            onHex={(byte) => onGo({ ...target, mode: 'hex', line: null, byte })}
            onPlace={setPlace}
          />
        )}
        {mode === 'hex' && (
          <HexView
            caseId={caseId}
            entry={entry}
            selected={target.byte}
            onSelect={(byte) => onMove({ ...target, mode, byte, line: null })}
            onPlace={setPlace}
          />
        )}
        {mode === 'record' && (
          <RecordPane
            caseId={caseId}
            entry={entry}
            record={target.record ?? 0}
            onRecord={(record) => onMove({ ...target, mode, record })}
            onPlace={setPlace}
          />
        )}
      </div>
    </section>
  );
}

interface BarProps {
  readonly entry: EntryRow;
  readonly mode: RawMode;
  readonly place: string;
  readonly target: RawTarget;
  readonly citations: readonly Citation[];
  readonly onGo: (target: RawTarget) => void;
  readonly onClose: () => void;
}

function Bar({ entry, mode, place, target, citations, onGo, onClose }: BarProps) {
  const hurdles = modeHurdles(entry);
  const path = escapeText(entry.path);
  return (
    <div className="raw-bar">
      <span className="raw-path mono cut" title={path}>
        {path}
      </span>
      <Segmented
        label="Show as"
        value={mode}
        options={RAW_MODES.map((name) => ({ value: name, label: RAW_MODE_WORDS[name], why: hurdles[name] }))}
        onChoose={(name) => onGo({ ...target, mode: name })}
      />
      {citations.length > 0 && <Citations entry={entry} citations={citations} onGo={onGo} />}
      <div className="raw-bar-end">
        <strong>{place}</strong>
        <GoTo mode={mode} target={target} onGo={onGo} />
        <Button kind="plain" onClick={() => copyText(`${entry.path}:${place}`)}>
          Copy place
        </Button>
        <IconButton label="Close file" onClick={onClose}>
          <X className="icon-14" strokeWidth={1.75} />
        </IconButton>
      </div>
    </div>
  );
}

function Citations({
  entry,
  citations,
  onGo,
}: {
  readonly entry: EntryRow;
  readonly citations: readonly Citation[];
  readonly onGo: (target: RawTarget) => void;
}) {
  return (
    <Menu trigger={<Button kind="link">{plural(citations.length, 'place')} cited</Button>}>
      {citations.map((citation) => (
        <MenuItem
          key={`${placeText(citation.target)} ${citation.text}`}
          label={citation.text.slice(0, 90)}
          note={placeText(citation.target)}
          onSelect={() => onGo(rawTarget(entry.id, citation.target))}
        />
      ))}
    </Menu>
  );
}

function GoTo({
  mode,
  target,
  onGo,
}: {
  readonly mode: RawMode;
  readonly target: RawTarget;
  readonly onGo: (target: RawTarget) => void;
}) {
  const field = useRef<HTMLInputElement>(null);
  const [text, setText] = useState('');
  useEffect(() => overrideCommand('go-to', () => field.current?.focus()), []);
  const onSubmit = () => {
    const value = parsePlace(text, mode);
    if (value === null) return;
    setText('');
    const none = { ...target, line: null, byte: null, record: null, mode };
    onGo(
      mode === 'text'
        ? { ...none, line: Math.max(1, value) }
        : mode === 'hex'
          ? { ...none, byte: value }
          : { ...none, record: value },
    );
  };
  return (
    <input
      ref={field}
      className="raw-go"
      type="text"
      inputMode="numeric"
      aria-label={goToLabel(mode)}
      placeholder={`${goToLabel(mode)}…`}
      value={text}
      spellCheck={false}
      onChange={(event) => setText(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key === 'Enter') onSubmit();
        if (event.key === 'Escape' && text !== '') {
          event.preventDefault();
          setText('');
        }
      }}
    />
  );
}

/** What is known about the file, above its content; the hash in full on copy. */
function StatusLine({ entry }: { readonly entry: EntryRow }) {
  const { sha256 } = entry;
  return (
    <div className="raw-status" data-status={entry.status}>
      <FileStatus status={entry.status} word={entry.status} />
      <span className="raw-detail">
        {escapeText(entry.detail)}
        {entry.status === 'refused' ? ' Nothing ran.' : ''}
      </span>
      <span className="quiet">{`${entry.kind}${entry.why === '' ? '' : `, ${escapeText(entry.why)}`}`}</span>
      {sha256 !== null && (
        <span className="raw-hash">
          <span className="quiet">SHA-256</span> <span className="mono-11">{shortenHash(sha256)}</span>
          <Button kind="plain" aria-label="Copy the whole hash" onClick={() => copyText(sha256)}>
            Copy
          </Button>
        </span>
      )}
    </div>
  );
}
