import { useEffect, useRef } from 'react';
import { paintSetMap } from '../../charts/set-map.ts';

export interface SetMapData {
  readonly errors: Uint32Array;
  readonly warnings: Uint32Array;
}

interface SetMapProps {
  readonly data: SetMapData | null;
  readonly total: number;
  readonly first: number;
  readonly visible: number;
  readonly cursor: number | null;
  readonly themeKey: string;
  readonly onGo: (row: number) => void;
}

/** The whole result from top to bottom: errors, warnings, where the list stands. The list itself has the keyboard. */
export function SetMap({ data, total, first, visible, cursor, themeKey, onGo }: SetMapProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another theme has other colours
  useEffect(() => {
    if (canvas.current) paintSetMap(canvas.current, { ...(data ?? NOTHING), total, first, visible, cursor });
  }, [data, total, first, visible, cursor, themeKey]);
  return (
    <canvas
      ref={canvas}
      className="log-map"
      role="img"
      aria-label="Where in the result errors and warnings are"
      onPointerDown={(event) => {
        const box = event.currentTarget.getBoundingClientRect();
        onGo(Math.floor(((event.clientY - box.top) / Math.max(1, box.height)) * total));
      }}
    />
  );
}

const NOTHING: SetMapData = { errors: new Uint32Array(0), warnings: new Uint32Array(0) };
