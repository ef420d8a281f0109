/** The small drawings that carry a meaning together with their word. One set, 12 px, in the colour of the text. */
import './glyphs.css';
import type { Status } from '#shared/model/finding.ts';
import { STATUS_WORD } from '#shared/text/verdict-text.ts';
import { CHECK, CROSS_HATCHED, CROSS_PATH, Glyph, HALF_RING, HALF_RING_LEFT, HATCHED, RING } from './glyph-shapes.tsx';

type StatusGlyphName = Status | 'no-failure';
type FileStatusName =
  | 'refused'
  | 'failed'
  | 'empty'
  | 'truncated'
  | 'warned'
  | 'duplicate'
  | 'skipped'
  | 'read'
  | 'reading';
type GapState = 'present' | 'partial' | 'unreadable' | 'absent' | 'not-collected';

/** Disc, half disc, dashed ring, ring with bar, ring with slash; a check mark for a job that ended well. */
export function StatusGlyph({ status, size = 12 }: { readonly status: StatusGlyphName; readonly size?: 10 | 12 }) {
  return (
    <Glyph data-status={status} data-size={size} stroke="1.4">
      {STATUS_SHAPES[status]}
    </Glyph>
  );
}

const STATUS_SHAPES: Readonly<Record<StatusGlyphName, React.ReactNode>> = {
  established: <circle cx="6" cy="6" r="5.5" fill="currentColor" stroke="none" />,
  supported: HALF_RING_LEFT,
  hypothesis: <circle cx="6" cy="6" r="5" strokeDasharray="2.6 2.6" strokeDashoffset="1.3" />,
  'not-determinable': (
    <>
      <circle cx="6" cy="6" r="5" />
      <path d="M3.6 6h4.8" />
    </>
  ),
  'ruled-out': (
    <>
      <circle cx="6" cy="6" r="5" />
      <path d="M2.6 9.4 9.4 2.6" />
    </>
  ),
  'no-failure': <path d="M1.5 6.5 4.7 9.7 10.8 2.6" strokeWidth="1.6" />,
};

/** Glyph and word: never one without the other. */
export function StatusWord({ status, size = 12 }: { readonly status: StatusGlyphName; readonly size?: 10 | 12 }) {
  return (
    <span className="status-word" data-status={status}>
      <StatusGlyph status={status} size={size} />
      {status === 'no-failure' ? 'No failure' : STATUS_WORD[status]}
    </span>
  );
}

const FILE_SHAPES: Readonly<Record<FileStatusName, React.ReactNode>> = {
  refused: (
    <>
      <path d="M3.7.8h4.6l2.9 2.9v4.6l-2.9 2.9H3.7L.8 8.3V3.7z" />
      <path d="m4.2 4.2 3.6 3.6m0-3.6L4.2 7.8" />
    </>
  ),
  failed: <path d={CROSS_PATH} />,
  empty: <rect x="1" y="1" width="10" height="10" strokeDasharray="2 2" strokeDashoffset="1" />,
  truncated: <path d="M1 6h5M8 2.5v1.6m0 1.2v1.4m0 1.2v1.6M10.6 6h.4" />,
  warned: (
    <>
      <path d="M6 1.4 11.2 10.4H.8z" strokeLinejoin="round" />
      <path d="M6 4.6v2.7m0 1.2v.6" />
    </>
  ),
  duplicate: (
    <>
      <rect x="3.8" y="3.8" width="7.2" height="7.2" rx="1.2" />
      <path d="M8.2 1.6A1.2 1.2 0 0 0 7.2 1h-5A1.2 1.2 0 0 0 1 2.2v5a1.2 1.2 0 0 0 .6 1" />
    </>
  ),
  skipped: <path d="M2 6h8" />,
  read: CHECK,
  reading: HALF_RING_LEFT,
};

export function FileStatusGlyph({ status }: { readonly status: FileStatusName }) {
  return <Glyph>{FILE_SHAPES[status]}</Glyph>;
}

/** `word` is the status in the sentence of its place: `read with warnings` in the import, `warned` in the list. */
export function FileStatus({ status, word }: { readonly status: FileStatusName; readonly word: string }) {
  return (
    <span className="file-status" data-file-status={status}>
      <FileStatusGlyph status={status} />
      {word}
    </span>
  );
}

const GAP_SHAPES: Readonly<Record<GapState, React.ReactNode>> = {
  absent: HATCHED,
  unreadable: CROSS_HATCHED,
  'not-collected': <path d={CROSS_PATH} strokeWidth="1.6" />,
  partial: HALF_RING,
  present: CHECK,
};

export function GapGlyph({ state }: { readonly state: GapState }) {
  return <Glyph className="glyph gap-glyph">{GAP_SHAPES[state]}</Glyph>;
}

type StepState = 'done' | 'running' | 'waiting' | 'stopped';
const STEP_SHAPES: Readonly<Record<StepState, React.ReactNode>> = {
  done: CHECK,
  running: FILE_SHAPES.reading,
  waiting: RING,
  stopped: FILE_SHAPES.failed,
};

export function StepGlyph({ state }: { readonly state: StepState }) {
  return <Glyph>{STEP_SHAPES[state]}</Glyph>;
}

/** Three lanes, the fault on the middle one. */
export function ProductMark() {
  return (
    <svg className="product-mark" viewBox="0 0 20 20" fill="none" aria-hidden="true">
      <path d="M3 4.5h14M3 15.5h14" stroke="currentColor" strokeWidth="2" strokeLinecap="round" />
      <path d="M3 10h4M13 10h4" stroke="currentColor" strokeWidth="2" strokeLinecap="round" />
      <circle className="product-mark-fault" cx="10" cy="10" r="2.2" />
    </svg>
  );
}
