import { useState } from 'react';
import type { CaseId } from '#shared/model/ids.ts';
import type { RedactionGroup } from '#shared/redaction/types.ts';
import type { SectionId } from '#shared/report/sections/types.ts';
import type { ReportChoices, ReportPreview } from '#shared/rpc/areas/export.ts';
import { formatCount, plural } from '#shared/text/format.ts';
import { Button } from '../../components/button.tsx';
import { FileStatusGlyph } from '../../components/glyphs.tsx';
import { Dialog } from '../../components/layers.tsx';
import { escapeText } from '../../viewmodels/escape-text.ts';
import { addWords, KIND_TITLE, stopSentences, switchSection } from '../../viewmodels/report/words.ts';
import { ExportSection } from './export-section.tsx';
import type { SaveState } from './report-view.tsx';

interface RedactionPanelProps {
  readonly caseId: CaseId;
  readonly preview: ReportPreview;
  readonly choices: ReportChoices;
  readonly onChoose: (choices: ReportChoices) => void;
  readonly onBring: (id: SectionId) => void;
  readonly saving: SaveState;
}

export function RedactionPanel({ caseId, preview, choices, onChoose, onBring, saving }: RedactionPanelProps) {
  const { redaction } = preview;
  const [adding, setAdding] = useState(false);
  return (
    <aside className="report-redaction" aria-label="Redaction and export" data-pane="redaction">
      <div className="report-head">
        <label className="redact-switch">
          <input
            type="checkbox"
            checked={choices.redact}
            onChange={(event) => onChoose({ ...choices, redact: event.currentTarget.checked })}
          />
          <b>Redaction</b>
        </label>
        <span>
          {redaction === null
            ? 'off: names are exported as they are'
            : `${plural(redaction.places, 'place')}, ${plural(redaction.originals, 'original')}`}
        </span>
      </div>
      {preview.stoppedBy.length > 0 && (
        <Stopped preview={preview} choices={choices} onChoose={onChoose} onBring={onBring} />
      )}
      {redaction !== null && (
        <>
          <section className="redaction-part">
            <div className="redaction-title">
              <b>What is replaced</b>
              <Button kind="link" onClick={() => setAdding(true)}>
                Add words…
              </Button>
            </div>
            {redaction.groups.length === 0 ? (
              <p>No name, address, path or secret was found.</p>
            ) : (
              <ul className="redaction-groups">
                {redaction.groups.map((group) => (
                  <Group key={group.kind} group={group} />
                ))}
              </ul>
            )}
            {choices.words.length > 0 && (
              <Words
                words={choices.words}
                onRemove={(word) => onChoose({ ...choices, words: choices.words.filter((one) => one !== word) })}
              />
            )}
          </section>
          <section className="redaction-part">
            <b>Rules</b>
            <p>
              One original keeps one stand-in in this report. The table of both stays in this case and is never
              exported. Rank numbers, operations, exit codes and times stay.
            </p>
            {redaction.kept.length > 0 && (
              <p>
                Not replaced, because every report has such words: {redaction.kept.map(escapeText).join(', ')}. Add them
                as words of your own to replace them.
              </p>
            )}
          </section>
        </>
      )}
      <ExportSection caseId={caseId} preview={preview} saving={saving} />
      {adding && (
        <AddWords
          onClose={() => setAdding(false)}
          onAdd={(typed) => {
            setAdding(false);
            onChoose(addWords(choices, typed));
          }}
        />
      )}
    </aside>
  );
}

type StoppedProps = Pick<RedactionPanelProps, 'preview' | 'choices' | 'onChoose' | 'onBring'>;

function Stopped({ preview, choices, onChoose, onBring }: StoppedProps) {
  return (
    <div className="export-stopped" role="alert">
      <div className="export-stopped-title">
        <FileStatusGlyph status="failed" /> Export stopped
      </div>
      {stopSentences(preview).map(({ id, text }) => (
        <div key={id} className="export-stopped-item">
          <p>{escapeText(text)}.</p>
          <Button kind="outlined" onClick={() => onChoose(switchSection(choices, id, false))}>
            Leave the section out
          </Button>
          <Button kind="plain" onClick={() => onBring(id)}>
            Show it
          </Button>
        </div>
      ))}
    </div>
  );
}

function Group({ group }: { readonly group: RedactionGroup }) {
  return (
    <li className="redaction-group">
      <span className="redaction-kind">{KIND_TITLE[group.kind]}</span>
      <span className="redaction-places">{formatCount(group.places)}</span>
      <code className="redaction-stand-in">{group.standIn}</code>
      <span className="redaction-sample cut" title={escapeText(group.sample)}>
        {escapeText(group.sample)}
      </span>
      <span className="redaction-originals">{plural(group.originals, 'original')}</span>
    </li>
  );
}

function Words({ words, onRemove }: { readonly words: readonly string[]; readonly onRemove: (word: string) => void }) {
  return (
    <ul className="redaction-words" aria-label="Your own words">
      {words.map((word) => (
        <li key={word}>
          <span className="cut">{escapeText(word)}</span>
          <Button kind="plain" aria-label={`Do not replace ${escapeText(word)}`} onClick={() => onRemove(word)}>
            ✕
          </Button>
        </li>
      ))}
    </ul>
  );
}

function AddWords({ onAdd, onClose }: { readonly onAdd: (typed: string) => void; readonly onClose: () => void }) {
  const [typed, setTyped] = useState('');
  return (
    <Dialog
      title="Replace further words"
      description="Names of projects, models, people: one a line, or split by commas. Case is ignored. They are kept with this case."
      onClose={onClose}
    >
      <textarea
        className="words-field"
        aria-label="Words"
        rows={5}
        value={typed}
        spellCheck={false}
        autoFocus
        onChange={(event) => setTyped(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) onAdd(typed);
        }}
      />
      <div className="dialog-actions">
        <Button kind="plain" onClick={onClose}>
          Cancel
        </Button>
        <Button
          kind="primary"
          aria-disabled={typed.trim().length < 2}
          onClick={() => typed.trim().length >= 2 && onAdd(typed)}
        >
          Replace these words
        </Button>
      </div>
    </Dialog>
  );
}
