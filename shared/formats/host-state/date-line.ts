/** The line of `date` that collectors put above what they collect; also an ISO stamp alone on its line or behind a mark. */
import { monthOf } from '../kernel-line.ts';
import { type RawStamp, readIsoStamp, secondsOf } from '../log/stamp.ts';

/** `Sat Mar 14 10:25:02 UTC 2026`, `Sat Mar 14 10:25:02 AM UTC 2026`. */
const CTIME =
  /^[A-Z][a-z]{2} ([A-Z][a-z]{2}) {1,2}(\d{1,2}) (\d\d):(\d\d):(\d\d)(?: ([AP])M)?(?: ([A-Z]{2,5}|[+-]\d\d))? (\d{4})$/;
/** `Sat 14 Mar 2026 10:25:02 AM UTC`, as newer C libraries print it in English. */
const LOCALE =
  /^[A-Z][a-z]{2},? (\d{1,2}) ([A-Z][a-z]{2}) (\d{4}),? (\d\d):(\d\d):(\d\d)(?: ([AP])M)?(?: ([A-Z]{2,5}|[+-]\d\d))?$/;
const MARK = /^[#=*>\s-]{1,40}/;
const CLOSING = /[#=*\s-]{1,40}$/;
const WORD = /^(?:date|time|collected(?: at)?|timestamp)\s?[:=]\s?/i;

/** Zones other than UTC are names of several offsets: the stamp is then local. */
export function readDateLine(text: string): RawStamp | undefined {
  if (text.length > 120) return undefined;
  const bare = text.replace(MARK, '').replace(CLOSING, '').replace(WORD, '');
  const iso = readIsoStamp(bare, 0);
  if (iso !== undefined) return iso.end >= bare.length ? iso.raw : undefined;
  const ctime = CTIME.exec(bare);
  if (ctime !== null) {
    const [, month, day, hour, minute, second, half, zone, year] = ctime;
    return stampOf(
      [Number(year), monthOf(month), Number(day)],
      [hourOf(hour, half), Number(minute), Number(second)],
      zone,
    );
  }
  const locale = LOCALE.exec(bare);
  if (locale === null) return undefined;
  const [, day, month, year, hour, minute, second, half, zone] = locale;
  return stampOf(
    [Number(year), monthOf(month), Number(day)],
    [hourOf(hour, half), Number(minute), Number(second)],
    zone,
  );
}

const hourOf = (hour: string | undefined, half: string | undefined): number =>
  half === undefined ? Number(hour) : (Number(hour) % 12) + (half === 'P' ? 12 : 0);

function stampOf(
  date: readonly [number, number, number],
  clock: readonly [number, number, number],
  zone: string | undefined,
): RawStamp | undefined {
  const seconds = date[1] === 0 ? undefined : secondsOf(date, clock);
  const isUtc = zone === 'UTC' || zone === 'GMT';
  return seconds === undefined
    ? undefined
    : { seconds, nanos: 0, kind: isUtc ? 'zoned' : 'local', resolutionNs: 1e9, zoneAssumed: !isUtc, yearless: false };
}
