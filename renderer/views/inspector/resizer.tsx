import { useRef } from 'react';
import { usePreferences } from '../../stores/preferences.ts';

const STEP = 16;

/** The left edge of the dock: drag it, or use the arrow keys. */
export function Resizer() {
  const width = usePreferences((state) => state.inspectorWidth);
  const textScale = usePreferences((state) => state.textScale);
  const setWidth = usePreferences((state) => state.setInspectorWidth);
  const drag = useRef<{ readonly x: number; readonly width: number } | null>(null);
  return (
    <div
      className="inspector-resizer"
      role="separator"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label="Width of the inspector"
      aria-valuenow={width}
      aria-valuemin={320}
      aria-valuemax={560}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        drag.current = { x: event.clientX, width };
      }}
      onPointerMove={(event) => {
        if (drag.current) setWidth(drag.current.width + (drag.current.x - event.clientX) / textScale);
      }}
      onPointerUp={() => {
        drag.current = null;
      }}
      onKeyDown={(event) => {
        const by = { ArrowLeft: STEP, ArrowRight: -STEP }[event.key];
        if (by === undefined) return;
        event.preventDefault();
        setWidth(width + by);
      }}
    />
  );
}
