import { useState } from 'react';
import type { JobId } from '#shared/model/ids.ts';
import type { JobQuestion } from '#shared/model/job.ts';
import type { QuestionAnswer } from '#shared/rpc/areas/imports.ts';
import { plural } from '#shared/text/format.ts';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/layers.tsx';
import { RankChip } from '../../components/rank-chip.tsx';
import { bridge } from '../../data/bridge.ts';
import { escapeText } from '../../viewmodels/escape-text.ts';
import type { SoFarModel } from '../../viewmodels/import-progress.ts';
import { calendarDay } from '../../viewmodels/times.ts';

/** The first suspect while files are read. Plain, without the look of a verdict. */
export function SoFar({ model }: { readonly model: SoFarModel }) {
  return (
    <section className="import-so-far" aria-label="So far">
      <strong>So far</strong>
      <span className="import-provisional" title="Made of a part of the files. What is read later may change it.">
        provisional
      </span>
      {model.chip !== null && <RankChip look="first-outlined" label={model.chip} />}
      <span className="import-so-far-text" title={model.text}>
        {model.text}
      </span>
      {model.status !== '' && <span className="import-so-far-status">{model.status}, not a verdict</span>}
      <span className="quiet" data-end="">
        {model.basis}
      </span>
    </section>
  );
}

/** What the import waits for. */
export function Question({ jobId, question }: { readonly jobId: JobId; readonly question: JobQuestion }) {
  const answer = (given: QuestionAnswer) => void bridge.request('job.answer', { jobId, answer: given });
  return question.kind === 'password' ? (
    <PasswordQuestion
      key={String(question.wrong)}
      wrong={question.wrong}
      onAnswer={(password) => answer({ kind: 'password', password })}
    />
  ) : (
    <KnownCaseQuestion question={question} onAnswer={(open) => answer({ kind: 'known-case', open })} />
  );
}

function PasswordQuestion({
  wrong,
  onAnswer,
}: {
  readonly wrong: boolean;
  readonly onAnswer: (password: string | null) => void;
}) {
  const [text, setText] = useState('');
  return (
    <form
      className="import-question"
      aria-label="Password"
      onSubmit={(event) => {
        event.preventDefault();
        if (text !== '') onAnswer(text.slice(0, 1024));
      }}
    >
      <div className="import-question-words">
        <strong>{wrong ? 'This password does not open the zip' : 'The zip is encrypted'}</strong>
        <span className="quiet">
          {wrong
            ? 'Nothing was read with it. Try another one, or go on without: encrypted files are then listed, not read.'
            : 'Asked once for this import. The password is used in memory only, never stored and never logged.'}
        </span>
      </div>
      <input
        type="password"
        className="import-password"
        aria-label="Password of the zip"
        autoComplete="off"
        // biome-ignore lint/a11y/noAutofocus: the import waits for nothing else
        autoFocus
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Button kind="outlined" onClick={() => onAnswer(null)}>
        Go on without it
      </Button>
      <Button kind="primary" type="submit" aria-disabled={text === ''}>
        Open with password
      </Button>
    </form>
  );
}

/** What was compared. */
const sameAs = (files: number | undefined): string =>
  files === undefined
    ? 'The same bytes, by their SHA-256, were'
    : `The same ${plural(files, 'file')}, by path, size and SHA-256 of each, ${files === 1 ? 'was' : 'were'}`;

function KnownCaseQuestion({
  question,
  onAnswer,
}: {
  readonly question: Extract<JobQuestion, { kind: 'known-case' }>;
  readonly onAnswer: (open: boolean) => void;
}) {
  return (
    <section className="import-question" aria-label="Known bundle">
      <div className="import-question-words">
        <strong>{`This bundle is a case already: ${escapeText(question.name)}`}</strong>
        <span className="quiet">{`${sameAs(question.files)} imported on ${calendarDay(question.importedAt)}.`}</span>
      </div>
      <Button kind="outlined" onClick={() => onAnswer(false)}>
        Import again
      </Button>
      <Button kind="primary" autoFocus onClick={() => onAnswer(true)}>
        Open the case
      </Button>
    </section>
  );
}

/** Asked once: what was read can be kept. */
export function CancelDialog({
  read,
  onKeep,
  onDiscard,
  onClose,
}: {
  /** `312 of 640 files`. */
  readonly read: string;
  readonly onKeep: () => void;
  readonly onDiscard: () => void;
  readonly onClose: () => void;
}) {
  return (
    <Dialog
      title="End this import?"
      description={`So far: ${read}. What was read can be kept as a case that says everywhere that it is partial; nothing in it is called established. The bundle is not changed either way.`}
      onClose={onClose}
    >
      <div className="dialog-actions">
        <Button kind="danger" onClick={onDiscard}>
          Discard it
        </Button>
        <Button kind="outlined" onClick={onKeep}>
          Keep as partial
        </Button>
        <Button kind="primary" autoFocus onClick={onClose}>
          Go on reading
        </Button>
      </div>
    </Dialog>
  );
}
