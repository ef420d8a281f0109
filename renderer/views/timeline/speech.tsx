import type { TimelineIndex } from '#shared/rpc/areas/timeline.ts';
import type { LaneBasis } from '#shared/views/lanes/index.ts';
import { momentLabel } from '../../viewmodels/timeline/axis.ts';
import type { TimeSpan } from '../../viewmodels/timeline/span.ts';
import { laneTitle, laneWord, missingReason, spokenCall } from '../../viewmodels/timeline/words.ts';
import type { Focus } from './use-focus.ts';

interface SpeechProps {
  readonly index: TimelineIndex;
  readonly basis: LaneBasis;
  readonly span: TimeSpan;
  readonly focus: Focus | null;
}

/** Stands for the focused thing of the drawing, and speaks it when it changes. */
export function Speech({ index, basis, span, focus }: SpeechProps) {
  const text = words(index, basis, span, focus);
  return (
    <>
      <div id="timeline-proxy" className="sr-only" role="img" aria-label={text} />
      <div className="sr-only" aria-live="polite" data-testid="timeline-speech">
        {text}
      </div>
    </>
  );
}

function words(index: TimelineIndex, basis: LaneBasis, span: TimeSpan, focus: Focus | null): string {
  const lane = index.lanes[focus?.lane ?? -1];
  if (focus === null || lane === undefined) return 'no lane chosen';
  if (focus.call !== null)
    return spokenCall(index, focus.call, momentLabel(focus.call.startNs, BigInt(index.originNs), span), basis);
  const missing = missingReason(lane)?.text ?? '';
  return [laneTitle(lane), laneWord(lane, true), missing].filter((part) => part !== '').join(', ');
}
