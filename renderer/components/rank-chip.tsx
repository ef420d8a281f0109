import './rank-chip.css';

export type ChipLook = 'first' | 'first-outlined' | 'victim' | 'bystander' | 'unknown';

/** Solid for the first rank, outlined for those that wait, plain for the fine, dashed with a question mark for the unknown. */
export function RankChip({ look, label }: { readonly look: ChipLook; readonly label: string }) {
  return (
    <span className="rank-chip" data-look={look}>
      {label}
      {look === 'unknown' ? ' ?' : ''}
    </span>
  );
}
