import { PointerTooltip } from '../../components/pointer-tooltip.tsx';
import type { ShownTooltip } from './use-hover.ts';

export function TimelineTooltip({ shown }: { readonly shown: ShownTooltip | null }) {
  if (shown === null) return null;
  const { x, y, text } = shown;
  return <PointerTooltip className="timeline-tooltip" x={x} y={y} title={text.title} lines={text.lines} />;
}
