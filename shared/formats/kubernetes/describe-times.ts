/** Times as `kubectl describe` prints them. */
import type { ApiTime } from '../../model/kubernetes.ts';
import { epochNs, NS_PER_MS, NS_PER_S } from '../../model/time.ts';

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const RFC1123Z = /^[A-Z][a-z]{2}, (\d{2}) ([A-Z][a-z]{2}) (\d{4}) (\d{2}):(\d{2}):(\d{2}) ([+-])(\d{2})(\d{2})$/;

/**
 * RFC 1123 with a numeric zone, `Sat, 14 Mar 2026 10:58:07 +0100`: whole seconds in the zone of the machine that ran
 * kubectl. Undefined for Go's zero time and for anything else.
 */
export function parseDescribeTime(text: string): ApiTime | undefined {
  const [, day, monthName, year, hour, minute, second, sign, zoneHour, zoneMinute] = RFC1123Z.exec(text) ?? [];
  const month = MONTHS.indexOf(monthName ?? '');
  if (day === undefined || month < 0 || Number(year) < 1970 || Number(year) > 2200) return undefined;
  const local = Date.UTC(Number(year), month, Number(day), Number(hour), Number(minute), Number(second));
  if (!Number.isFinite(local) || new Date(local).getUTCDate() !== Number(day)) return undefined;
  const zone = BigInt(Number(zoneHour) * 60 + Number(zoneMinute)) * 60n * NS_PER_S;
  return epochNs(BigInt(local) * NS_PER_MS + (sign === '+' ? -zone : zone));
}
