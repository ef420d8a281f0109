import { useId } from 'react';
import { figurePlane, type Shape } from '#shared/report/sections/figure-shapes.ts';
import type { Figure } from '#shared/report/sections/types.ts';
import { escapeText } from '../../viewmodels/escape-text.ts';
import { PaperText } from './blocks.tsx';

/** The same shapes as in the exported page; paints are classes of the style sheet. */
export function FigureDrawing({ figure, redacted }: { readonly figure: Figure; readonly redacted: boolean }) {
  const { width, height, shapes } = figurePlane(figure);
  const id = useId();
  return (
    <figure>
      <svg className="paper-figure" viewBox={`0 0 ${width} ${height}`} role="img" aria-label={figure.caption}>
        <defs>
          <pattern id={`${id}w`} width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
            <rect width="5" height="5" className="figure-wait-ground" />
            <line x1="0" y1="0" x2="0" y2="5" className="figure-wait-line" />
          </pattern>
          <pattern id={`${id}m`} width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
            <line x1="0" y1="0" x2="0" y2="5" className="figure-missing-line" />
          </pattern>
        </defs>
        {shapes.map((shape, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: shapes of one immutable figure, in their order
          <OneShape key={i} shape={shape} id={id} />
        ))}
      </svg>
      <figcaption>
        <PaperText text={figure.caption} redacted={redacted} />
      </figcaption>
    </figure>
  );
}

function OneShape({ shape, id }: { readonly shape: Shape; readonly id: string }) {
  switch (shape.kind) {
    case 'rect': {
      const { x, y, width, height, paint } = shape;
      const fill = paint === 'waiting' ? `url(#${id}w)` : paint === 'missing' ? `url(#${id}m)` : undefined;
      return <rect x={x} y={y} width={width} height={height} rx="1" data-paint={paint} fill={fill} />;
    }
    case 'line': {
      const { x1, y1, x2, y2, paint } = shape;
      return <line x1={x1} y1={y1} x2={x2} y2={y2} data-paint={paint} />;
    }
    case 'text':
      return (
        <text x={shape.x} y={shape.y} textAnchor={shape.anchor} data-weight={shape.weight}>
          {escapeText(shape.text)}
        </text>
      );
  }
}
