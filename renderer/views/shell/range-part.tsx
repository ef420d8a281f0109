import { Calendar1, ChevronDown, X } from 'lucide-react';
import { useState } from 'react';
import type { Report } from '#shared/report/schema.ts';
import { Button, IconButton } from '../../components/button.tsx';
import { TextField } from '../../components/fields.tsx';
import { Popover } from '../../components/layers.tsx';
import { type TimeRange, useSelection } from '../../stores/selection.ts';
import { contextParts } from '../../viewmodels/context-parts.ts';
import { parseTimeInput, type TimeInputContext } from '../../viewmodels/time-input.ts';
import { displayZone, isoToNs, nsToIso, rangeDuration, timeOfDay } from '../../viewmodels/times.ts';
import { Part } from './context-bar.tsx';

const NS_PER_S = 1_000_000_000n;

interface RangePartProps {
  readonly report: Report;
  /** Epoch ns; null = the case holds no time. */
  readonly origin: bigint | null;
  readonly ignored: string | undefined;
}

/** The time range that the screens show, as text; a button opens it for editing, ✕ goes back to the whole case. */
export function RangePart({ report, origin, ignored }: RangePartProps) {
  const range = useSelection((state) => state.range);
  const setRange = useSelection((state) => state.setRange);
  const [open, setOpen] = useState(false);
  const parts = contextParts(report);
  const shown = range !== null && origin !== null ? isoRange(range, origin) : null;
  return (
    <Part
      held={open}
      text={shown === null ? parts.rangeNote : 'Only this time is shown'}
      ignored={range === null ? undefined : ignored}
    >
      {origin === null ? (
        <span>{parts.range}</span>
      ) : (
        <Popover
          label="Time range"
          open={open}
          onOpen={setOpen}
          trigger={
            <button type="button" className="context-button">
              <Calendar1 className="icon-14" strokeWidth={1.75} aria-hidden="true" />
              <strong>{shown === null ? parts.range : `${timeOfDay(shown.from)} – ${timeOfDay(shown.to)}`}</strong>
              <span className="quiet">{range === null ? parts.duration : rangeDuration(range)}</span>
              <ChevronDown className="icon-12" strokeWidth={1.75} aria-hidden="true" />
            </button>
          }
        >
          <RangeForm report={report} origin={origin} onDone={() => setOpen(false)} />
        </Popover>
      )}
      {range !== null && (
        <IconButton label="Show the whole case" onClick={() => setRange(null)}>
          <X className="icon-12" strokeWidth={1.75} />
        </IconButton>
      )}
    </Part>
  );
}

const isoRange = (range: TimeRange, origin: bigint): { readonly from: string; readonly to: string } => ({
  from: nsToIso(origin + BigInt(Math.round(range.from))),
  to: nsToIso(origin + BigInt(Math.round(range.to))),
});

function RangeForm({
  report,
  origin,
  onDone,
}: {
  readonly report: Report;
  readonly origin: bigint;
  readonly onDone: () => void;
}) {
  const { start, end } = report.incident;
  const onset = report.verdict.at?.time ?? null;
  const { range, setRange } = useSelection.getState();
  const shown = range === null ? null : isoRange(range, origin);
  const [from, setFrom] = useState(timeOfDay(shown?.from ?? start ?? ''));
  const [to, setTo] = useState(timeOfDay(shown?.to ?? end ?? ''));
  const context: TimeInputContext = { start, end, onset, zone: displayZone() };
  const [fromNs, toNs] = [parseTimeInput(from, context), parseTimeInput(to, context)];
  const problem =
    fromNs === null || toNs === null
      ? 'A time like 12:03:41.2, +30 s from the first fault, or a full stamp.'
      : fromNs >= toNs
        ? 'The end must be after the start.'
        : '';
  const set = (a: bigint, b: bigint) => {
    setRange({ from: Number(a - origin), to: Number(b - origin) });
    onDone();
  };
  const apply = () => {
    if (problem === '' && fromNs !== null && toNs !== null) set(fromNs, toNs);
  };
  const onsetNs = onset === null ? null : isoToNs(onset);
  const endNs = end === null ? null : isoToNs(end);
  return (
    <>
      <TextField
        label="From"
        value={from}
        problem={fromNs === null ? problem : ''}
        autoFocus
        onChange={setFrom}
        onEnter={apply}
      />
      <TextField label="To" value={to} problem={toNs === null ? problem : ''} onChange={setTo} onEnter={apply} />
      {problem !== '' && (
        <div className="popover-note" data-bad="true" role="status">
          {problem}
        </div>
      )}
      <div className="popover-actions">
        <Button kind="primary" aria-disabled={problem !== ''} onClick={apply}>
          Show this range
        </Button>
        <Button
          kind="outlined"
          onClick={() => {
            setRange(null);
            onDone();
          }}
        >
          Whole case
        </Button>
        {onsetNs !== null && (
          <Button kind="outlined" onClick={() => set(onsetNs - 30n * NS_PER_S, onsetNs + 30n * NS_PER_S)}>
            First fault ±30 s
          </Button>
        )}
        {endNs !== null && (
          <Button kind="outlined" onClick={() => set(endNs - 300n * NS_PER_S, endNs)}>
            Last 5 minutes
          </Button>
        )}
      </div>
    </>
  );
}
