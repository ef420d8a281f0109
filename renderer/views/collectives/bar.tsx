import { ChevronDown, ChevronUp, Copy } from 'lucide-react';
import type { ReactNode } from 'react';
import { plural } from '#shared/text/format.ts';
import type { JobAnswer } from '#shared/views/collectives/answers.ts';
import { IconButton } from '../../components/button.tsx';
import { Choice } from '../../components/fields.tsx';
import { Tooltip } from '../../components/layers.tsx';
import type { CollectivesShow } from '../../stores/targets/collectives.ts';
import { ofAll, pickerLabel } from '../../viewmodels/collectives/groups.ts';

const WHOLE = '';
/** Groups in the menu; all can be reached through the chain and the palette. */
const MAX_OPTIONS = 200;

const SHOWS: readonly { readonly value: CollectivesShow; readonly label: string }[] = [
  { value: 'around', label: 'around first difference' },
  { value: 'all', label: 'all calls' },
  { value: 'differences', label: 'only differences' },
];

interface BarProps {
  readonly answer: JobAnswer;
  /** Null = the whole job. */
  readonly group: string | null;
  readonly onGroup: (group: string | null) => void;
  readonly onCopy: () => void;
  readonly children?: ReactNode;
  readonly end: ReactNode;
}

export function Bar({ answer, group, onGroup, onCopy, children, end }: BarProps) {
  const listed = answer.groups.slice(0, MAX_OPTIONS);
  const options = listed.map((head) => ({ value: head.id, label: pickerLabel(head, answer.kinds) }));
  const own = answer.groups.find((head) => head.id === group);
  if (own !== undefined && !listed.includes(own))
    options.push({ value: own.id, label: pickerLabel(own, answer.kinds) });
  const all = `all ${ofAll(answer.groupsTotal, answer.groupsTotal)}, by waiting`;
  return (
    <div className="collectives-bar" data-pane="filters">
      <Choice
        label={group === null ? 'groups' : 'group'}
        value={group ?? WHOLE}
        options={[{ value: WHOLE, label: all }, ...options]}
        onChoose={(value) => onGroup(value === WHOLE ? null : value)}
      />
      {children}
      <div className="collectives-bar-end">
        {end}
        <Tooltip text="Copy the table as text">
          <IconButton label="Copy the table as text" onClick={onCopy}>
            <Copy className="icon-14" strokeWidth={1.75} aria-hidden="true" />
          </IconButton>
        </Tooltip>
      </div>
    </div>
  );
}

export function ShowChoice({
  show,
  onShow,
}: {
  readonly show: CollectivesShow;
  readonly onShow: (show: CollectivesShow) => void;
}) {
  return (
    <Choice
      label="show"
      value={show}
      options={SHOWS}
      onChoose={(value) => onShow(SHOWS.find((known) => known.value === value)?.value ?? 'around')}
    />
  );
}

/** Rows go by the number of the call, or by the moment at which it was entered. */
export function AlignChoice({
  byTime,
  onChoose,
}: {
  readonly byTime: boolean;
  readonly onChoose: (byTime: boolean) => void;
}) {
  return (
    <Choice
      label="align by"
      value={byTime ? 'time' : 'sequence'}
      options={[
        { value: 'sequence', label: 'sequence' },
        { value: 'time', label: 'time' },
      ]}
      onChoose={(value) => onChoose(value === 'time')}
    />
  );
}

interface DifferenceNavProps {
  readonly total: number;
  /** 0-based; -1 = none is chosen. */
  readonly at: number;
  readonly label: string;
  readonly onStep: (by: 1 | -1) => void;
}

export function DifferenceNav({ total, at, label, onStep }: DifferenceNavProps) {
  return (
    <>
      <Tooltip text="Previous difference, Alt ↑">
        <IconButton label="Previous difference" aria-disabled={at <= 0} onClick={() => onStep(-1)}>
          <ChevronUp className="icon-14" strokeWidth={1.75} aria-hidden="true" />
        </IconButton>
      </Tooltip>
      <Tooltip text="Next difference, Alt ↓">
        <IconButton label="Next difference" aria-disabled={at >= total - 1} onClick={() => onStep(1)}>
          <ChevronDown className="icon-14" strokeWidth={1.75} aria-hidden="true" />
        </IconButton>
      </Tooltip>
      <span className="cut">
        {total === 0
          ? 'no difference'
          : at > 0
            ? `${at + 1} of ${plural(total, 'difference')}`
            : total === 1
              ? '1 difference'
              : `first of ${total} differences`}
        {label !== '' && (
          <>
            , <strong>{label}</strong>
          </>
        )}
      </span>
    </>
  );
}
