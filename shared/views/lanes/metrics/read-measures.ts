/**
 * Numbers with a name in a line of progress:
 *
 *   step 14 loss 2.2840                                      loss 2.284
 *   iteration 32/ 50 | elapsed time per iteration (ms): 27590.4 | lm loss: 7.61E+00      two, with spaces in their names
 *   step: 10  loss: 7.1  memory: 12.34GiB(51%)  tps: 1,234   loss, memory in bytes, tps
 *   {'loss': 2.3011, 'learning_rate': 1e-05, 'epoch': 1.27}  loss, learning_rate
 *
 * A name before `:` or `=` is taken as it stands; one before a mere space only if loops are known to print it so. Counters and places
 * (step, epoch, rank, port) are no measures. What is unsure is left out: a wrong curve is worse than none. O(text), which is short.
 */
export type MeasureUnit = '' | 'ms' | 'bytes' | '%' | 'W' | '°C' | `${string}/s`;

export interface Measure {
  /** As printed, spaces and case too; at most 40 characters. */
  readonly name: string;
  /** Times in ms, sizes in bytes. */
  readonly value: number;
  readonly unit: MeasureUnit;
}

/** A number where one may stand, with what is glued to it. */
const NUMBER =
  /(?<=^|[\s:=[({'",|])([+-]?(?:\d{1,3}(?:,\d{3}){1,4}|\d{1,15})(?:\.\d{1,18})?(?:[eE][+-]?\d{1,3})?)(?: ?(GiB|MiB|KiB|TiB|GB|MB|KB|TB|ms|(?:it|iters?|tokens?|tok|samples?|examples|ex|imgs?|images|seqs?|steps?)\/s(?:ec)?\b))?([A-Za-z%]?)(?![\w./:%|-]|,\d)/g;
const LONGEST = 40;
const MOST = 32;
const NAME = /(?:[A-Za-z][\w@/-]{0,39})(?: [A-Za-z][\w@/-]{0,30}){0,4}$/;
/** ` (ms)` at the end of a name is its unit. */
const UNIT_OF_NAME = / {0,2}\(([A-Za-z/%]{1,16})\)$/;
/** Known without a separator: the last word or two. */
const KNOWN =
  /(?:^|\s)((?:(?:lm|eval|train|val|valid|test|aux|moe|mlm|nsp|total) )?loss|acc(?:@\d)?|accuracy|ppl|lr|mfu|tps|wps|gnorm|(?:grad|gradient)[ _]norm|throughput|tflops|mem|memory|time|data|(?:tokens|samples|imgs|images|seqs?)\/s(?:ec)?)$/i;
/** Where the loop is, who prints, and what never stops growing. */
const NO_MEASURE =
  /(?:^|[\s_/-])(?:steps?|iters?|iterations?|epochs?|rank|world|world_size|node|host|pid|tid|line|seed|port|gpu|device|cuda|v_num|attempt|restarts?|job|worker|eta|version|id|updates?|batch|microstep|stage|bucket|skipped|it)$|^(?:total[ _])?(?:elapsed|time elapsed|time_elapsed)$|^consumed|^remaining|^num_|^number of|\bpy$/i;
/** `elapsed time per iteration`, `throughput per GPU`. */
const PER = /[ _]per[ _]/;

const SIZES: ReadonlyMap<string, number> = new Map([
  ['KiB', 2 ** 10],
  ['MiB', 2 ** 20],
  ['GiB', 2 ** 30],
  ['TiB', 2 ** 40],
  ['KB', 1e3],
  ['MB', 1e6],
  ['GB', 1e9],
  ['TB', 1e12],
]);
const SCALES: ReadonlyMap<string, number> = new Map([
  ['K', 1e3],
  ['M', 1e6],
  ['B', 1e9],
  ['T', 1e12],
]);

/** In the order of the line; of one name and unit the first. */
export function readMeasures(text: string): Measure[] {
  const found = new Map<string, Measure>();
  let end = 0;
  for (const match of text.matchAll(NUMBER)) {
    const before = text.slice(Math.max(end, match.index - 90), match.index);
    end = match.index + match[0].length;
    const measure = measureOf(before, match);
    if (measure === undefined) continue;
    const key = `${measure.name}\n${measure.unit}`;
    if (!found.has(key) && found.size < MOST) found.set(key, measure);
  }
  return [...found.values()];
}

function measureOf(before: string, [, digits = '', unit, suffix = '']: RegExpExecArray): Measure | undefined {
  const value = Number(digits.replaceAll(',', ''));
  if (!Number.isFinite(value)) return undefined;
  const named = nameOf(before);
  if (named === undefined) {
    // A bar prints its rate without a name.
    return unit?.includes('/') === true ? { name: unit, value, unit: rateOf(unit) } : undefined;
  }
  const { name, unitOfName } = named;
  const size = SIZES.get(unit ?? unitOfName ?? '');
  if (size !== undefined) return { name, value: value * size, unit: 'bytes' };
  if (unit === 'ms' || unitOfName === 'ms') return { name, value, unit: 'ms' };
  if (unit !== undefined) return { name, value, unit: rateOf(unit) };
  if (suffix === 's' || unitOfName === 's' || unitOfName === 'sec') return { name, value: value * 1000, unit: 'ms' };
  if (suffix === '%' || unitOfName === '%') return { name, value, unit: '%' };
  const scale = suffix === '' ? 1 : SCALES.get(suffix);
  if (scale === undefined) return undefined;
  return { name, value: value * scale, unit: unitOfName?.endsWith('/s') === true ? rateOf(unitOfName) : '' };
}

/** `tok/sec` → `tok/s` */
const rateOf = (unit: string): MeasureUnit => `${unit.slice(0, unit.indexOf('/'))}/s`;

function nameOf(before: string): { readonly name: string; readonly unitOfName: string | undefined } | undefined {
  const bare = before.replace(/[\s'"[(]{0,12}$/, '');
  const separated = /["']?\s{0,4}[:=]$/.exec(bare);
  const label = separated === null ? bare : bare.slice(0, separated.index).replace(/["'\s]{1,8}$/, '');
  // A list or a call in brackets is no value of the name before it.
  if (separated === null && /[[(]/.test(before.slice(bare.length))) return undefined;
  const unit = UNIT_OF_NAME.exec(label);
  const words = unit === null ? label : label.slice(0, unit.index);
  const name = separated === null ? KNOWN.exec(words)?.[1] : NAME.exec(words)?.[0];
  if (name === undefined || name.length > LONGEST || (NO_MEASURE.test(name) && !PER.test(name))) return undefined;
  return { name: separated === null ? name : withoutOthers(name), unitOfName: unit?.[1] };
}

/** `INFO train loss` before a separator: levels of a logger are no part of a name. */
const withoutOthers = (name: string): string => name.replace(/^(?:(?:INFO|WARNING|DEBUG|ERROR) )+/, '');
