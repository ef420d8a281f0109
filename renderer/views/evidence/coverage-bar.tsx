/** The time that a file covers, on the axis of the incident, with the line of the first fault. */
import './coverage-bar.css';
import type { Bar } from '../../viewmodels/coverage.ts';

interface CoverageBarProps {
  readonly bar: Bar | null;
  /** Share of the axis; null = no line. */
  readonly fault: number | null;
  /** `missing`: hatched, a file that is not there; `none`: dotted, a file without records. */
  readonly look: 'covers' | 'missing' | 'none';
  /** Inside of a wide bar that covers nothing. */
  readonly reason?: string;
}

const percent = (share: number): string => `${(share * 100).toFixed(3)}%`;

export function CoverageBar({ bar, fault, look, reason }: CoverageBarProps) {
  return (
    <span className="coverage-bar" data-look={look} aria-hidden={reason === undefined}>
      {bar !== null && (
        <span
          className="coverage-fill"
          data-cut={`${bar.cutLeft ? 'left' : ''} ${bar.cutRight ? 'right' : ''}`}
          style={{ left: percent(bar.from), width: `max(2px, ${percent(bar.to - bar.from)})` }}
        />
      )}
      {fault !== null && <span className="coverage-fault" style={{ left: percent(fault) }} />}
      {reason !== undefined && <span className="coverage-reason">{reason}</span>}
    </span>
  );
}
