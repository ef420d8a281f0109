/** From the fields of a recorder's record to its call among all ranks. */
export interface RecordCall {
  /** Group id as in the report. */
  readonly group: string;
  readonly seq: number;
}

/** Null for point-to-point records, whose numbers are those of a pair, and for records that name no group or number. */
export function callOfRecord(fields: readonly { readonly name: string; readonly value: string }[]): RecordCall | null {
  const value = (name: string): string | undefined => fields.find((field) => field.name === name)?.value;
  const [group, seq] = [value('process_group'), value('collective_seq_id')];
  if (group === undefined || seq === undefined || value('is_p2p') === 'true') return null;
  // Written as `name (description)`; the description may hold brackets as well, the name of a group does not.
  const end = group.indexOf(' (');
  const number = Number(seq);
  return Number.isSafeInteger(number) && number >= 0
    ? { group: end < 0 ? group : group.slice(0, end), seq: number }
    : null;
}
