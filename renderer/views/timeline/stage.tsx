/** Three canvases over one scrolling list: the lanes, what lies over them, the cursor. Only the last is redrawn while the pointer moves. */
import { type RefObject, useEffect, useRef } from 'react';
import { beginFrame } from '../../charts/canvas-size.ts';
import { drawLanes } from '../../charts/draw-lanes.ts';
import { drawCursor, drawOverlay, type OverlayScene } from '../../charts/draw-overlay.ts';
import { headHeight, type LaneScene } from '../../charts/lane-scene.ts';
import { cursorNow, onCursor } from '../../stores/selection.ts';

interface StageProps {
  readonly scene: LaneScene | null;
  readonly overlay: OverlayScene;
  readonly cursorLabel: (at: number) => string;
  readonly scroller: RefObject<HTMLDivElement | null>;
  readonly onScroll: (top: number) => void;
}

export function Stage({ scene, overlay, cursorLabel, scroller, onScroll }: StageProps) {
  const base = useRef<HTMLCanvasElement>(null);
  const over = useRef<HTMLCanvasElement>(null);
  const cursor = useRef<HTMLCanvasElement>(null);
  const latest = useRef({ scene, overlay, cursorLabel });
  latest.current = { scene, overlay, cursorLabel };

  useEffect(() => {
    if (scene === null) return;
    const frame = requestAnimationFrame(() => drawFrame(base.current, over.current, scene, overlay));
    return () => cancelAnimationFrame(frame);
  }, [scene, overlay]);

  useEffect(() => {
    const draw = (at: number | null) => {
      const { scene: now, cursorLabel: label } = latest.current;
      if (now === null || cursor.current === null) return;
      const { width, height, ratio } = now.size;
      const on = beginFrame(cursor.current, width, height, ratio);
      if (on !== null) drawCursor(on, now, at, at === null ? '' : label(at));
    };
    draw(cursorNow());
    return onCursor(draw);
  }, []);

  const head = scene === null ? 0 : headHeight(scene);
  return (
    <>
      <div
        ref={scroller}
        className="timeline-scroller"
        style={{ top: `${head}px` }}
        tabIndex={-1}
        onScroll={(event) => onScroll(event.currentTarget.scrollTop)}
      >
        <div style={{ height: `${scene?.layout.heightPx ?? 0}px` }} />
      </div>
      <div aria-hidden="true">
        <canvas ref={base} className="timeline-canvas" />
        <canvas ref={over} className="timeline-canvas" />
        <canvas ref={cursor} className="timeline-canvas" />
      </div>
    </>
  );
}

function drawFrame(
  base: HTMLCanvasElement | null,
  over: HTMLCanvasElement | null,
  scene: LaneScene,
  overlay: OverlayScene,
): void {
  const { width, height, ratio } = scene.size;
  if (base === null || over === null) return;
  const started = performance.now();
  const lanes = beginFrame(base, width, height, ratio);
  if (lanes !== null) drawLanes(lanes, scene, overlay.ticks);
  const marks = beginFrame(over, width, height, ratio);
  if (marks !== null) drawOverlay(marks, scene, overlay);
  // Read by tests of the drawing budget; a few numbers, no content of the case.
  performance.measure('timeline-frame', { start: started, end: performance.now() });
}
