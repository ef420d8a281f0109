/** What is typed into the dialog that sets a clock, and what is wrong with it. */
import type { ClockSetting } from '#shared/rpc/areas/clocks.ts';

export interface SettingDraft {
  readonly against: string;
  readonly offset: string;
  readonly bound: string;
  readonly reason: string;
}

export interface CheckedDraft {
  readonly setting: ClockSetting | null;
  /** Empty = fine. */
  readonly problems: { readonly offset: string; readonly bound: string; readonly reason: string };
}

/** `−4 690.5`, `+12`, `4,69`: signs and separators as people type them. Null for anything else. */
export function readMs(text: string): number | null {
  const plain = text
    .trim()
    .replace(/^[−–]/, '-')
    .replace(/[\s\u00a0\u202f]/g, '')
    .replace(',', '.')
    .replace(/ms$/i, '');
  return /^[+-]?\d{1,12}(?:\.\d{1,6})?$/.test(plain) ? Number(plain) : null;
}

export function checkDraft(clock: string, draft: SettingDraft): CheckedDraft {
  const offsetMs = readMs(draft.offset);
  const boundMs = readMs(draft.bound);
  const reason = draft.reason.trim();
  const problems = {
    offset: offsetMs === null ? 'A number of milliseconds: positive = this clock is ahead' : '',
    bound: boundMs === null || boundMs < 0 ? 'A number of milliseconds, 0 or more' : '',
    reason: reason === '' ? 'Say how you know: it stands in the report' : '',
  };
  const fine = offsetMs !== null && boundMs !== null && boundMs >= 0 && reason !== '';
  return { setting: fine ? { clock, against: draft.against, offsetMs, boundMs, reason } : null, problems };
}
