/** Tables and durations as kubectl prints them. */

/** Columns padded to their widest cell, three spaces apart; nothing after the last cell. */
export function formatTable(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)));
  const line = (row: readonly string[]): string =>
    row.map((cell, i) => (i === row.length - 1 ? cell : cell.padEnd(widths[i] ?? 0))).join('   ');
  return `${rows.map(line).join('\n')}\n`;
}

/** `44s`, `2m5s`, `26m`, `3h10m`; `<invalid>` more than a second in the future. */
export function formatAge(seconds: number): string {
  if (seconds < -1) return '<invalid>';
  const s = Math.max(0, seconds);
  if (s < 120) return `${s}s`;
  const minutes = Math.floor(s / 60);
  if (minutes < 10) return s % 60 === 0 ? `${minutes}m` : `${minutes}m${s % 60}s`;
  if (minutes < 180) return `${minutes}m`;
  const hours = Math.floor(minutes / 60);
  return minutes % 60 === 0 ? `${hours}h` : `${hours}h${minutes % 60}m`;
}
