/** One event as a case stores it. `ns`: raw stamp, ns since 1970, never corrected; `json`: the whole record as text. All numbers are exact. */
export interface StoredEvent {
  readonly path: string;
  readonly line: bigint | null;
  readonly lastLine: bigint | null;
  readonly byte: bigint | null;
  readonly length: bigint | null;
  readonly rank: bigint | null;
  readonly kind: string;
  readonly ns: bigint | null;
  readonly json: string;
}
