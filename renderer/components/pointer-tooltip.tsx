import './pointer-tooltip.css';

interface PointerTooltipProps {
  /** Px in the window. */
  readonly x: number;
  readonly y: number;
  readonly title: string;
  readonly lines: readonly string[];
  readonly className: string;
}

/** Room that a tooltip of three lines takes, px at normal text size. */
const WIDTH = 396;
const HEIGHT = 190;

/** Beside the pointer over a drawing, never over the row it names: above or below it, whichever has room. */
export function PointerTooltip({ x, y, title, lines, className }: PointerTooltipProps) {
  const below = y < window.innerHeight - HEIGHT;
  const style = {
    left: `${Math.max(4, Math.min(x + 14, window.innerWidth - WIDTH))}px`,
    ...(below ? { top: `${y + 20}px` } : { bottom: `${window.innerHeight - y + 16}px` }),
  };
  return (
    <div className={`pointer-tooltip ${className}`} style={style} role="tooltip">
      <div className="pointer-tooltip-title">{title}</div>
      {lines.map((line, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines of one text
        <div key={i}>{line}</div>
      ))}
    </div>
  );
}
