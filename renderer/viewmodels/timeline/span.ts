/** The visible span of time and how it moves. Pure; ns relative to the case's origin. */
export interface TimeSpan {
  /** Inside. */
  readonly from: number;
  /** Outside. */
  readonly to: number;
}

/** Nothing recorded is finer: below this a zoom would only show the gaps between stamps. */
export const SHORTEST_NS = 1000;

/** Room beside the case, as a share of it, so that its first and last moment do not stick to the edges. */
const MARGIN = 0.02;

export function wholeCase({ from, to }: TimeSpan): TimeSpan {
  const room = Math.max((to - from) * MARGIN, 1e6);
  return { from: from - room, to: to + room };
}

/** Moves and cuts a span into the case. Never shorter than SHORTEST_NS. */
export function clampSpan(span: TimeSpan, whole: TimeSpan): TimeSpan {
  const length = Math.min(Math.max(span.to - span.from, SHORTEST_NS), whole.to - whole.from);
  const from = Math.min(Math.max(span.from, whole.from), whole.to - length);
  return { from, to: from + length };
}

/** `factor` < 1 = closer; `at` keeps its place on the screen. */
export function zoomSpan(span: TimeSpan, factor: number, at: number, whole: TimeSpan): TimeSpan {
  const anchor = Math.min(Math.max(at, span.from), span.to);
  const length = Math.max((span.to - span.from) * factor, SHORTEST_NS);
  const share = (anchor - span.from) / (span.to - span.from);
  const from = anchor - share * length;
  return clampSpan({ from, to: from + length }, whole);
}

/** `by`: share of the visible span. */
export function panSpan(span: TimeSpan, by: number, whole: TimeSpan): TimeSpan {
  const step = (span.to - span.from) * by;
  return clampSpan({ from: span.from + step, to: span.to + step }, whole);
}

export function centreSpan(span: TimeSpan, at: number, whole: TimeSpan): TimeSpan {
  const half = (span.to - span.from) / 2;
  return clampSpan({ from: at - half, to: at + half }, whole);
}

/** Around something with a length, with room at both sides. */
export function fitSpan(from: number, to: number, whole: TimeSpan): TimeSpan {
  const room = Math.max((to - from) * 0.15, SHORTEST_NS);
  return clampSpan({ from: from - room, to: to + room }, whole);
}

/** Around a moment that a link names: 30 s to either side, or less where the case is short. */
export function momentSpan(at: number, whole: TimeSpan): TimeSpan {
  const half = Math.min(30e9, (whole.to - whole.from) / 4);
  return clampSpan({ from: at - half, to: at + half }, whole);
}

export const sameSpan = (a: TimeSpan, b: TimeSpan): boolean => a.from === b.from && a.to === b.to;
