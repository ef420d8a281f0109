/** The head of a column by which a table can be sorted: its name, and an arrow where the table is sorted by it. */
import { ArrowDown, ArrowUp } from 'lucide-react';
import type { ReactNode } from 'react';

export interface SortHeadProps {
  /** Null: the table is sorted by another column. */
  readonly order: 'ascending' | 'descending' | null;
  readonly onSort: () => void;
  readonly children: ReactNode;
  /** Behind the button. */
  readonly beside?: ReactNode;
  readonly className?: string | undefined;
  /** For the style of one column. */
  readonly column?: string;
  /** Figures stand at the right: the arrow then stands before the name. */
  readonly arrowFirst?: boolean;
  readonly buttonClass?: string;
  /** -1 where the table itself has the keys. */
  readonly tabIndex?: number;
}

/** What a table of columns and one order says of one of them. */
export const orderOf = (active: boolean, descending: boolean): SortHeadProps['order'] =>
  active ? (descending ? 'descending' : 'ascending') : null;

export function SortHead(props: SortHeadProps) {
  const { order, onSort, children, beside, className, column, arrowFirst = false, buttonClass, tabIndex } = props;
  const Arrow = order === 'descending' ? ArrowUp : ArrowDown;
  const arrow = order !== null && <Arrow className="icon-12" strokeWidth={1.75} aria-hidden="true" />;
  return (
    <span role="columnheader" className={className} data-column={column} aria-sort={order ?? 'none'}>
      <button type="button" className={buttonClass} tabIndex={tabIndex} onClick={onSort}>
        {arrowFirst && arrow}
        {children}
        {!arrowFirst && arrow}
      </button>
      {beside}
    </span>
  );
}
