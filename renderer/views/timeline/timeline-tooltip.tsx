import type { ShownTooltip } from './use-hover.ts';

/** Beside the pointer, never over the row it names: above or below it, whichever has room. */
export function TimelineTooltip({ shown }: { readonly shown: ShownTooltip | null }) {
  if (shown === null) return null;
  const { x, y, text } = shown;
  const below = y < window.innerHeight - 190;
  const style = {
    left: `${Math.min(x + 14, window.innerWidth - 396)}px`,
    ...(below ? { top: `${y + 20}px` } : { bottom: `${window.innerHeight - y + 16}px` }),
  };
  return (
    <div className="timeline-tooltip" style={style} role="tooltip">
      <div className="timeline-tooltip-title">{text.title}</div>
      {text.lines.map((line) => (
        <div key={line}>{line}</div>
      ))}
    </div>
  );
}
