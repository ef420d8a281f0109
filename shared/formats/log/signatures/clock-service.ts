/**
 * What time services write into a node's system log. Signs differ between them; in the event a positive number is always "this
 * clock is ahead" (offset) or "was moved forward" (step).
 *
 *   chronyd   System clock wrong by -4.731204 seconds            the correction that is due: the clock is AHEAD by 4.73 s
 *   chronyd   System clock was stepped by -4.731204 seconds      moved back; the line already has the new time
 *   ntpd      time reset -4.731204 s · clock_step -4.731204 s    moved back
 *   phc2sys   CLOCK_REALTIME phc offset  -20 s2 freq …           ns, this clock minus the network card's; s2 = locked
 *
 * Lines that only say that the clock was moved (journald, systemd-resolved, chronyd's own detection) tell of a step of unknown size.
 */
import type { EventBody } from '../../../model/events.ts';
import { defineSignature, type Notes } from './define.ts';

type ClockNote = Extract<EventBody, { kind: 'clock-note' }>;

const note = (
  tool: ClockNote['tool'],
  what: ClockNote['what'],
  ms?: number,
  boundMs?: number,
): { body: ClockNote } => ({
  body: { kind: 'clock-note', tool, what, ms, boundMs },
});

/** Seconds as text, to nanoseconds. */
const inMs = (seconds: string): number => Math.round(Number(seconds) * 1e9) / 1e6;

/** Of an offset that the line gives without its error: what a time source over a network is right to, ms. */
const USUAL_ERROR_MS = 100;
/** A locked network card: its time is right to microseconds, the reading of the offset to less than this, ms. */
const LOCKED_ERROR_MS = 1;

const WRONG = /^System clock wrong by (-?\d{1,12}\.\d{1,9}) seconds(?:, adjustment started)?$/;
const STEPPED = /^System clock was stepped by (-?\d{1,12}\.\d{1,9}) seconds$/;
const NTPD = /^(?:.{0,60} )?(?:time reset|clock_step|CLOCK: time stepped by) ([+-]?\d{1,12}\.\d{1,9})(?: s)?$/;
const PHC = /^(?:\[\d{1,10}\.\d{1,9}\]: ?)?(?:\[[\w.:-]{1,60}\] )?CLOCK_REALTIME phc offset {1,12}(-?\d{1,18}) s2 freq/;
/** chronyd in the foreground writes its own stamp in front. */
const OWN_STAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ /;

export const clockService = defineSignature({
  id: 'clock-service',
  literals: [
    'System clock wrong by ',
    'System clock was stepped by ',
    'time jump detected',
    "Can't synchronise: ",
    'Could not synchronise',
    'time reset ',
    'clock_step ',
    'CLOCK: time stepped by ',
    'Clock Unsynchronized',
    'CLOCK_REALTIME phc offset ',
    'Time jumped backwards, rotating',
    'Clock change detected. Flushing caches',
  ],
  match({ text, notes }) {
    const said = text.replace(OWN_STAMP, '').trimEnd();
    const wrong = WRONG.exec(said)?.[1];
    if (wrong !== undefined) return note('chronyd', 'offset', -inMs(wrong), USUAL_ERROR_MS);
    const stepped = STEPPED.exec(said)?.[1];
    if (stepped !== undefined) return note('chronyd', 'step', inMs(stepped));
    const reset = NTPD.exec(said)?.[1];
    if (reset !== undefined) return note('ntpd', 'step', inMs(reset));
    const phc = PHC.exec(said)?.[1];
    if (phc !== undefined) return locked(Number(phc) / 1e6, notes);
    if (/^(?:Forward|Backward) time jump detected!/.test(said)) return note('chronyd', 'step');
    if (/^(?:Can't synchronise: no |Could not synchronise)/.test(said)) return note('chronyd', 'unsynchronised');
    if (/^kernel reports TIME_ERROR: 0x[0-9a-f]{1,8}: Clock Unsynchronized/.test(said))
      return note('ntpd', 'unsynchronised');
    if (/^Time jumped backwards, rotating/.test(said)) return note('journald', 'step');
    return /^Clock change detected\. Flushing caches/.test(said) ? note('resolved', 'step') : undefined;
  },
  samples: [
    {
      text: 'System clock wrong by -4.731204 seconds',
      expect: { kind: 'clock-note', tool: 'chronyd', what: 'offset', ms: 4731.204, boundMs: USUAL_ERROR_MS },
    },
    {
      text: '2022-01-03T14:32:44Z System clock wrong by -1.707730 seconds, adjustment started',
      expect: { kind: 'clock-note', tool: 'chronyd', what: 'offset', ms: 1707.73, boundMs: USUAL_ERROR_MS },
    },
    {
      text: 'System clock was stepped by 4.005564 seconds',
      expect: { kind: 'clock-note', tool: 'chronyd', what: 'step', ms: 4005.564, boundMs: undefined },
    },
    {
      text: 'time reset -0.250000 s',
      expect: { kind: 'clock-note', tool: 'ntpd', what: 'step', ms: -250, boundMs: undefined },
    },
    {
      text: '0.0.0.0 c61c 0c clock_step +0.500000 s',
      expect: { kind: 'clock-note', tool: 'ntpd', what: 'step', ms: 500, boundMs: undefined },
    },
    {
      text: '[359.907]: CLOCK_REALTIME phc offset       -20 s2 freq  +10469 delay     37',
      expect: { kind: 'clock-note', tool: 'phc2sys', what: 'offset', ms: -0.00002, boundMs: LOCKED_ERROR_MS },
    },
    {
      text: 'Forward time jump detected!',
      expect: { kind: 'clock-note', tool: 'chronyd', what: 'step', ms: undefined, boundMs: undefined },
    },
    {
      text: "Can't synchronise: no selectable sources",
      expect: { kind: 'clock-note', tool: 'chronyd', what: 'unsynchronised', ms: undefined, boundMs: undefined },
    },
    {
      text: 'Time jumped backwards, rotating.',
      expect: { kind: 'clock-note', tool: 'journald', what: 'step', ms: undefined, boundMs: undefined },
    },
  ],
  nearMisses: [
    '[359.907]: CLOCK_REALTIME phc offset 37000000012 s0 freq      +0 delay     37',
    '[359.907]: ens1f0 sys offset       -20 s2 freq  +10469 delay     37',
    'expected "System clock wrong by 1.000000 seconds" in the output',
  ],
});

/** Lines of one locked clock between two that are kept: they come every second, and say the same. */
const KEPT_EVERY = 60;
/** A change that is worth telling, ms. */
const CHANGE_MS = 1;

/** The first, one in sixty, and those that differ. */
function locked(ms: number, notes: Notes): { body: ClockNote } | undefined {
  const { phcLines = 0, phcMs } = notes;
  notes.phcLines = phcLines + 1;
  if (phcMs !== undefined && phcLines % KEPT_EVERY !== 0 && Math.abs(ms - phcMs) < CHANGE_MS) return undefined;
  notes.phcMs = ms;
  return note('phc2sys', 'offset', ms, Math.max(LOCKED_ERROR_MS, Math.abs(ms)));
}
