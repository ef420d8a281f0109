/**
 * Lines by time as bars: errors over warnings over others, overlapping so that heights stay comparable. Drawn on a canvas; the pointer
 * is followed outside of React.
 */
import './density-strip.css';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { DensityScene } from '../viewmodels/logs/density-view.ts';

interface DensityStripProps {
  readonly scene: DensityScene | null;
  /** A moment with a line and words of its own, as a share of the width; null = none in the range. */
  readonly fault: { readonly share: number; readonly label: string } | null;
  /** What keeps the drawing up to date with the theme. */
  readonly themeKey: string;
  readonly label: string;
  readonly onWidth: (px: number) => void;
  /** Share of the width under the pointer; null = it left. */
  readonly onHover: (share: number | null) => void;
  readonly onPick: (share: number) => void;
  readonly onRange: (from: number, to: number) => void;
}

const TOP = 18;
const AXIS = 20;
/** Shorter drags are clicks. px. */
const DRAG_FROM = 4;

export function DensityStrip(props: DensityStripProps) {
  const { scene, fault, themeKey, label, onWidth, onHover, onPick, onRange } = props;
  const canvas = useRef<HTMLCanvasElement>(null);
  const [size, setSize] = useState({ width: 0, height: 0 });
  const [brush, setBrush] = useState<{ readonly from: number; readonly to: number } | null>(null);
  const start = useRef<number | null>(null);
  useEffect(() => {
    const element = canvas.current;
    if (!element) return;
    const measure = () => {
      setSize({ width: element.clientWidth, height: element.clientHeight });
      onWidth(element.clientWidth);
    };
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    measure();
    return () => observer.disconnect();
  }, [onWidth]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another theme has other colours
  useEffect(() => {
    if (canvas.current) draw(canvas.current, size, scene, fault);
  }, [scene, fault, size, themeKey]);
  const shareAt = useCallback((event: React.PointerEvent): number => {
    const box = event.currentTarget.getBoundingClientRect();
    return Math.max(0, Math.min(1, (event.clientX - box.left) / Math.max(1, box.width)));
  }, []);
  return (
    <div className="density-strip">
      <canvas
        ref={canvas}
        role="img"
        aria-label={label}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          start.current = shareAt(event);
        }}
        onPointerMove={(event) => {
          const share = shareAt(event);
          onHover(share);
          const from = start.current;
          if (from !== null && Math.abs(share - from) * size.width >= DRAG_FROM)
            setBrush({ from: Math.min(from, share), to: Math.max(from, share) });
        }}
        onPointerLeave={() => onHover(null)}
        onPointerUp={(event) => {
          if (brush !== null) onRange(brush.from, brush.to);
          else if (start.current !== null) onPick(shareAt(event));
          start.current = null;
          setBrush(null);
        }}
      />
      {brush !== null && (
        <div className="density-brush" style={{ left: `${brush.from * 100}%`, right: `${(1 - brush.to) * 100}%` }} />
      )}
    </div>
  );
}

function draw(
  canvas: HTMLCanvasElement,
  { width, height }: { readonly width: number; readonly height: number },
  scene: DensityScene | null,
  fault: DensityStripProps['fault'],
): void {
  if (width < 1 || height < 1) return;
  const ratio = window.devicePixelRatio;
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  const context = canvas.getContext('2d');
  if (context === null) return;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  const style = getComputedStyle(canvas);
  const token = (name: string) => style.getPropertyValue(name).trim();
  const scale = Number(token('--text-scale')) || 1;
  const top = TOP * scale;
  const bottom = height - AXIS * scale;
  context.font = `${11 * scale}px ${token('--font-ui')}`;
  context.strokeStyle = token('--grid');
  context.lineWidth = 1;
  line(context, 0, Math.round(top + (bottom - top) / 4) + 0.5, width, true);
  context.strokeStyle = token('--line-2');
  line(context, 0, Math.round(bottom) + 0.5, width, true);
  if (scene === null) return;
  context.textBaseline = 'middle';
  for (const tick of scene.ticks) {
    const x = Math.round(tick.share * width) + 0.5;
    context.strokeStyle = token('--line-2');
    line(context, x, bottom, 4, false);
    context.fillStyle = token('--text-3');
    const half = context.measureText(tick.label).width / 2;
    if (x - half > 0 && x + half < width) {
      context.textAlign = 'center';
      context.fillText(tick.label, x, height - (AXIS * scale) / 2 + 1);
    }
  }
  const colours = [token('--series-other'), token('--sev-warn'), token('--sev-error')] as const;
  bars(context, scene, { width, top, bottom, colours });
  if (fault !== null)
    drawFault(context, fault, { width, top, bottom, colour: token('--role-first'), text: token('--role-first-text') });
}

interface BarBox {
  readonly width: number;
  readonly top: number;
  readonly bottom: number;
  readonly colours: readonly [string, string, string];
}

/** Each series is drawn at its own height, the tallest first, so that none hides another. */
function bars(context: CanvasRenderingContext2D, scene: DensityScene, { width, top, bottom, colours }: BarBox): void {
  const count = scene.errors.length;
  const step = width / Math.max(1, count);
  const high = bottom - top - 2;
  // One error stays visible beside a thousand lines.
  const heightOf = (lines: number): number => Math.max(2, (lines / Math.max(1, scene.tallest)) * high);
  for (let i = 0; i < count; i += 1) {
    const series = [
      { lines: scene.others[i] ?? 0, colour: colours[0] },
      { lines: scene.warnings[i] ?? 0, colour: colours[1] },
      { lines: scene.errors[i] ?? 0, colour: colours[2] },
    ].sort((a, b) => b.lines - a.lines);
    for (const { lines, colour } of series) {
      if (lines === 0) continue;
      context.fillStyle = colour;
      const h = heightOf(lines);
      context.fillRect(i * step, bottom - h, Math.max(1, step - 1), h);
    }
  }
}

const PEAK_WORDS_PX = 220;

function drawFault(
  context: CanvasRenderingContext2D,
  fault: { readonly share: number; readonly label: string },
  box: {
    readonly width: number;
    readonly top: number;
    readonly bottom: number;
    readonly colour: string;
    readonly text: string;
  },
): void {
  const x = Math.round(fault.share * box.width) + 0.5;
  context.strokeStyle = box.colour;
  context.fillStyle = box.colour;
  context.lineWidth = 1.5;
  line(context, x, 8, box.bottom - 8, false);
  context.beginPath();
  context.moveTo(x - 4, 3);
  context.lineTo(x + 4, 3);
  context.lineTo(x, 10);
  context.fill();
  const words = context.measureText(fault.label).width;
  const left = x + 10 + words > box.width;
  context.textAlign = left ? 'right' : 'left';
  context.fillStyle = box.text;
  // The right end of the first line belongs to the words about the peak.
  const y = left || x + 10 + words > box.width - PEAK_WORDS_PX ? 24 : 8;
  context.fillText(fault.label, left ? x - 10 : x + 10, y);
}

function line(context: CanvasRenderingContext2D, x: number, y: number, length: number, across: boolean): void {
  context.beginPath();
  context.moveTo(x, y);
  context.lineTo(across ? x + length : x, across ? y : y + length);
  context.stroke();
}
