/** All offsets on one axis, and beside it each clock at a scale of its own; the chosen one is large. */
import './own-scales.css';
import { type PointerEvent, useEffect, useMemo, useRef, useState } from 'react';
import { formatCount } from '#shared/text/format.ts';
import { beginFrame } from '../../charts/canvas-size.ts';
import { clampNs, drawClockPanel, type PanelScene, panelNs, panelX, panelY } from '../../charts/clock-panel.ts';
import type { Palette } from '../../charts/palette.ts';
import { usePreferences } from '../../stores/preferences.ts';
import { onCursor, setCursor } from '../../stores/selection.ts';
import { type ClockPanel, type PanelsPicture, spreadLabels } from '../../viewmodels/clocks/panels.ts';
import { offsetTicks } from '../../viewmodels/clocks/ticks.ts';
import type { TimeSpan } from '../../viewmodels/timeline/span.ts';
import { usePalette } from '../timeline/use-palette.ts';
import { useElementSize } from '../timeline/use-size.ts';

interface OwnScalesProps {
  readonly picture: PanelsPicture;
  readonly ticksFor: (widthPx: number, span: TimeSpan) => readonly { readonly at: number; readonly label: string }[];
  readonly fault: { readonly atNs: number; readonly label: string } | null;
  readonly point: string | null;
  readonly onPoint: (key: string) => void;
  readonly onClock: (clock: string) => void;
}

export function OwnScales(props: OwnScalesProps) {
  const { picture, fault } = props;
  const host = useRef<HTMLDivElement>(null);
  const palette = usePalette(host);
  return (
    <div ref={host} className="own-scales clock-bands" role="group" aria-label={picture.summary} data-pane="bands">
      <Offsets picture={picture} onClock={props.onClock} />
      <div className="own-panels">
        {fault !== null && (
          <p className="own-fault">
            <span aria-hidden="true">▼</span> {fault.label}, in each clock the red line
          </p>
        )}
        <div className="own-grid" data-large={picture.panels.some(({ isChosen }) => isChosen)}>
          {palette !== null &&
            picture.panels.map((panel) => <Panel key={panel.clock} {...props} panel={panel} palette={palette} />)}
        </div>
        {picture.hidden > 0 && (
          <p className="clocks-hidden">{`${formatCount(picture.hidden)} more related clocks are in the table only.`}</p>
        )}
      </div>
    </div>
  );
}

const LABEL_PX = 32;
const LOW_LABEL_PX = 24;
const HEAD_PX = 22;

/** A rule of offsets: where each clock stands against the reference. */
function Offsets({ picture, onClock }: Pick<OwnScalesProps, 'picture' | 'onClock'>) {
  const host = useRef<HTMLDivElement>(null);
  const { height: whole } = useElementSize(host);
  const scale = usePreferences((state) => state.textScale);
  const { offsets } = picture;
  const height = Math.max(1, whole - HEAD_PX * scale);
  const label = (offsets.length * LABEL_PX * scale <= height ? LABEL_PX : LOW_LABEL_PX) * scale;
  const [most, least] = [offsets[0]?.ms ?? 0, offsets.at(-1)?.ms ?? 0];
  const room = Math.max(1, (most - least) * 0.06);
  const y = (ms: number): number => ((most + room - ms) / (most - least + 2 * room)) * height;
  const tops = spreadLabels(
    offsets.map(({ ms }) => y(ms)),
    label,
    height,
  );
  return (
    <div ref={host} className="own-offsets">
      <p className="own-offsets-head">Offset of each clock</p>
      <div className="own-offsets-rule" style={{ height }}>
        <svg aria-hidden="true" width="100%" height={height}>
          <path className="own-rule" d={`M8.5 0V${height}`} />
          {offsets.map((one, i) => {
            const [at, middle] = [y(one.ms), (tops[i] ?? 0) + label / 2];
            return (
              <path
                key={one.clock}
                className="own-tick"
                data-chosen={one.isChosen}
                d={`M3 ${at}H14L22 ${middle}H27`}
                fill="none"
              />
            );
          })}
        </svg>
        {offsets.map((one, i) => (
          <button
            key={one.clock}
            type="button"
            className="own-offset"
            data-chosen={one.isChosen}
            data-low={label < LABEL_PX * scale}
            title={`${one.title}: ${one.offset}`}
            style={{ top: tops[i] ?? 0, height: label }}
            onClick={() => onClock(one.clock)}
          >
            <span className="cut">{one.title}</span>
            <span className="quiet tabular">{one.offset}</span>
          </button>
        ))}
      </div>
    </div>
  );
}

interface PanelProps extends OwnScalesProps {
  readonly panel: ClockPanel;
  readonly palette: Palette;
}

/** A click this near to a mark of evidence means it. */
const CLICK_PX = 10;

function Panel({ picture, panel, palette, ticksFor, fault, point, onPoint, onClock }: PanelProps) {
  const host = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const size = useElementSize(host);
  const [cursorNs, setCursorNs] = useState<number | null>(null);
  useEffect(() => onCursor(setCursorNs), []);
  const { isChosen: large } = panel;
  const scene = useMemo((): PanelScene => {
    const gutter = (large ? 62 : 58) * palette.scale;
    return {
      ...{ panel, momentsNs: picture.momentsNs, fromNs: picture.fromNs, toNs: picture.toNs },
      ...{ width: size.width, height: size.height, gutter, large },
      foot: large ? 20 * palette.scale : 0,
      marks: offsetTicks(panel.least, panel.most, large ? 7 : 3),
      ticks: ticksFor(Math.max(1, size.width - gutter), { from: picture.fromNs, to: picture.toNs }),
      faultNs: fault?.atNs ?? null,
      ...{ cursorNs, point: large ? point : null },
    };
  }, [picture, panel, palette, size, ticksFor, fault, cursorNs, point, large]);
  useEffect(() => {
    if (canvas.current === null) return;
    const on = beginFrame(canvas.current, size.width, size.height, size.ratio);
    if (on !== null) drawClockPanel(on, scene, palette);
  }, [scene, palette, size]);
  const place = (event: PointerEvent<HTMLElement>): readonly [number, number] => {
    const box = canvas.current?.getBoundingClientRect();
    return [event.clientX - (box?.left ?? 0), event.clientY - (box?.top ?? 0)];
  };
  return (
    <button
      type="button"
      className="own-panel"
      data-chosen={panel.isChosen}
      data-fault={panel.isFault}
      aria-pressed={panel.isChosen}
      aria-label={panel.words}
      onClick={() => onClock(panel.clock)}
      onPointerMove={(event) => setCursor(clampNs(scene, panelNs(scene, place(event)[0])))}
      onPointerLeave={() => setCursor(null)}
      onPointerUp={(event) => {
        const key = large ? nearest(scene, ...place(event)) : null;
        if (key !== null) onPoint(key);
      }}
    >
      <span className="own-panel-head" aria-hidden="true">
        <strong className="cut" title={panel.title}>
          {panel.title}
        </strong>
        <span className="own-panel-offset tabular">{panel.offset}</span>
        {panel.trouble !== '' && <span className="own-panel-trouble">{panel.trouble}</span>}
      </span>
      <span className="own-panel-note cut tabular" aria-hidden="true">
        {[panel.bounds, large && panel.drift !== '' ? `drift ${panel.drift}` : '']
          .filter((part) => part !== '')
          .join(', ')}
      </span>
      <span ref={host} className="own-panel-drawing" aria-hidden="true">
        <canvas ref={canvas} />
      </span>
    </button>
  );
}

function nearest(scene: PanelScene, x: number, y: number): string | null {
  let best: { readonly key: string; readonly px: number } | null = null;
  for (const { key, atNs, valueMs } of scene.panel.points) {
    const px = Math.hypot(panelX(scene, clampNs(scene, atNs)) - x, panelY(scene, valueMs) - y);
    if (px <= CLICK_PX && (best === null || px < best.px)) best = { key, px };
  }
  return best?.key ?? null;
}
