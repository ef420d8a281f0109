/** Middle value, the mean of the two middle ones for even counts; NaN for none. Sorts the list it is given. */
export function median(values: number[] | Float64Array): number {
  if (values.length === 0) return Number.NaN;
  values.sort((a, b) => a - b);
  const half = values.length >> 1;
  const upper = values[half] ?? Number.NaN;
  return values.length % 2 === 1 ? upper : (upper + (values[half - 1] ?? upper)) / 2;
}
