/** JSON with exact 64-bit integers: a bigint is written as `{"$bigint":"123"}`; everything else as usual. */
const TAG = '$bigint';

export const toJson = (value: unknown): string =>
  JSON.stringify(value, (_key, item: unknown) => (typeof item === 'bigint' ? { [TAG]: item.toString() } : item));

/** The inverse of `toJson`; throws for text that is no JSON. */
export const fromJson = (text: string): unknown =>
  JSON.parse(text, (_key, item: unknown) => {
    if (typeof item !== 'object' || item === null || !(TAG in item)) return item;
    const digits: unknown = item[TAG];
    return typeof digits === 'string' && /^-?\d{1,30}$/.test(digits) ? BigInt(digits) : item;
  });
