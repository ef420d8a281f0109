/** What the first bytes of an entry say about it being text; shared by the last-resort formats. */

/**
 * Share of control characters (other than tab, LF, CR, ESC, BS, FF) and undecodable bytes above which a head is not
 * text. Chosen, not measured: logs with runs of NUL after a crash still have whole lines around them.
 */
const MAX_CONTROL_SHARE = 0.1;

/** True if the head reads as text. An empty head does. */
export function looksLikeText(text: string): boolean {
  let bad = 0;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c === 0xfffd || (c < 32 && c !== 9 && c !== 10 && c !== 13 && c !== 27 && c !== 8 && c !== 12)) bad += 1;
  }
  return bad <= text.length * MAX_CONTROL_SHARE;
}

/** The lines of a head, the last one only if it is whole. At most `max`. */
export function headLines(text: string, whole: boolean, max = 60): string[] {
  const lines = text.split('\n', max + 1);
  if (lines.length <= max && !whole && lines.length > 1) lines.pop();
  else if (lines.length > max) lines.length = max;
  return lines.map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));
}
