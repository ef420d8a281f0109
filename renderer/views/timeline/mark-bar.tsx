import { ChevronLeft, ChevronRight, Pencil, Trash2, X } from 'lucide-react';
import { IconButton } from '../../components/button.tsx';
import { escapeText } from '../../viewmodels/escape-text.ts';
import { momentLabel } from '../../viewmodels/timeline/axis.ts';
import type { TimeSpan } from '../../viewmodels/timeline/span.ts';
import type { Marks } from './use-marks.ts';

interface MarkBarProps {
  readonly marks: Marks;
  readonly originNs: bigint;
  readonly span: TimeSpan;
}

/** The chosen mark (its clicks are not those of the lanes beneath): what it says, and the buttons for what its keys do. */
export function MarkBar({ marks, originNs, span }: MarkBarProps) {
  const { chosen } = marks;
  if (chosen === null) return null;
  const { note, at, to, subject } = chosen;
  const until = to === null ? '' : ` – ${momentLabel(to, originNs, span)}`;
  return (
    <div
      className="mark-bar"
      role="toolbar"
      aria-label="Mark"
      onPointerDown={(event) => event.stopPropagation()}
      onPointerUp={(event) => event.stopPropagation()}
      onDoubleClick={(event) => event.stopPropagation()}
    >
      <span className="mark-bar-flag" aria-hidden="true" />
      <span className="mono">{`${momentLabel(at, originNs, span)}${until}`}</span>
      <span className="quiet">{subject.basis}</span>
      <span className="mark-bar-text cut">{note.text === '' ? 'no words yet' : escapeText(note.text)}</span>
      <IconButton label="Name the mark (F2)" title="Name, F2" onClick={marks.name}>
        <Pencil className="icon-14" strokeWidth={1.75} />
      </IconButton>
      <IconButton label="Move the mark earlier (Ctrl ←)" title="Earlier, Ctrl ←" onClick={() => marks.move(-1, false)}>
        <ChevronLeft className="icon-14" strokeWidth={1.75} />
      </IconButton>
      <IconButton label="Move the mark later (Ctrl →)" title="Later, Ctrl →" onClick={() => marks.move(1, false)}>
        <ChevronRight className="icon-14" strokeWidth={1.75} />
      </IconButton>
      <IconButton label="Remove the mark (Del)" title="Remove, Del" onClick={marks.remove}>
        <Trash2 className="icon-14" strokeWidth={1.75} />
      </IconButton>
      <IconButton label="Leave the mark (Esc)" title="Leave, Esc" onClick={marks.leave}>
        <X className="icon-14" strokeWidth={1.75} />
      </IconButton>
    </div>
  );
}
