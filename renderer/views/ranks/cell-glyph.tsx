import type { CellLook } from '../../viewmodels/ranks/looks.ts';

const edge = <rect className="edge" x=".5" y=".5" width="17" height="17" rx="2.5" />;
const dashed = <rect className="edge" x=".5" y=".5" width="17" height="17" rx="2.5" strokeDasharray="3 2" />;
const ground = <rect className="ground" width="18" height="18" rx="2.5" />;
const lines = <path className="hatch" d="M0 7 7 0M0 14 14 0M1 18 18 1M8 18 18 8M15 18l3-3" />;

/** A cell of the map as it is drawn there. */
export function CellGlyph({ look }: { readonly look: CellLook }) {
  return (
    <svg className="cell-glyph" data-look={look} viewBox="0 0 18 18" width="18" height="18" aria-hidden="true">
      {shapeOf(look)}
    </svg>
  );
}

function shapeOf(look: CellLook) {
  switch (look) {
    case 'first':
      return <rect className="fill" width="18" height="18" rx="2.5" />;
    case 'waits':
      return (
        <>
          <rect className="tint" width="18" height="18" rx="2.5" />
          {lines}
          {edge}
        </>
      );
    case 'absent':
    case 'silent':
    case 'unseen':
      return dashed;
    case 'failed':
      return (
        <>
          {edge}
          <path className="edge" d="M5.5 5.5l7 7m0-7-7 7" />
        </>
      );
    case 'fine':
      return (
        <>
          {ground}
          <rect className="fill" x="6" y="6" width="6" height="6" />
        </>
      );
    case 'in-call':
      return (
        <>
          {ground}
          <rect className="fill" x="4" y="4" width="10" height="10" />
        </>
      );
    case 'ended':
      return (
        <>
          {ground}
          <rect className="fill" x="5" y="8" width="8" height="2" />
        </>
      );
    case 'empty':
      return ground;
    case 'lost':
      return (
        <>
          {lines}
          {dashed}
        </>
      );
    case 'no-file':
      return (
        <>
          {lines}
          {edge}
        </>
      );
    case 'no-records':
      return (
        <>
          <path className="hatch" d="M3 4h1m4 0h1m4 0h1M3 9h1m4 0h1m4 0h1M3 14h1m4 0h1m4 0h1" />
          {edge}
        </>
      );
    case 'overwritten':
      return (
        <>
          {lines}
          <path className="hatch" d="M11 0l7 7M4 0l14 14M0 3l15 15M0 10l8 8" />
          {edge}
        </>
      );
    default: {
      const step = Number(look.slice(5));
      const side = 5.4 + step * 2.7;
      return (
        <>
          {ground}
          <rect
            className="fill"
            x={(18 - side) / 2}
            y={(18 - side) / 2}
            width={side}
            height={side}
            opacity={0.25 + step * 0.18}
          />
        </>
      );
    }
  }
}
