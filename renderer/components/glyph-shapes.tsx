/** The frame that all small drawings share, and the forms that mean the same wherever they stand. */
import type { ReactNode, SVGProps } from 'react';

/** 12 units square, in the colour of the text. Never without its word: it is hidden from those who do not see. */
export function Glyph({
  className = 'glyph',
  stroke = '1.3',
  children,
  ...rest
}: SVGProps<SVGSVGElement> & { readonly stroke?: string; readonly children?: ReactNode }) {
  return (
    <svg
      className={className}
      viewBox="0 0 12 12"
      fill="none"
      stroke="currentColor"
      strokeWidth={stroke}
      aria-hidden="true"
      {...rest}
    >
      {children}
    </svg>
  );
}

export const CHECK = <path d="M1.8 6.4 4.7 9.2 10.4 3" />;
export const RING = <circle cx="6" cy="6" r="5" />;
export const HALF_RING = (
  <>
    {RING}
    <path d="M6 1a5 5 0 0 1 0 10z" fill="currentColor" stroke="none" />
  </>
);
/** The half at the left: what is read or supported so far. */
export const HALF_RING_LEFT = (
  <>
    {RING}
    <path d="M6 1a5 5 0 0 0 0 10z" fill="currentColor" stroke="none" />
  </>
);
export const CROSS_PATH = 'm2.5 2.5 7 7m0-7-7 7';
/** Lines: there is no file. */
export const HATCHED = (
  <>
    <rect x="1" y="1" width="10" height="10" />
    <path d="M1 6 6 1M1 11 11 1M6 11l5-5" strokeWidth="1" />
  </>
);
/** Crossed lines: overwritten, or not readable. */
export const CROSS_HATCHED = (
  <>
    <rect x="1" y="1" width="10" height="10" />
    <path d="M1 6 6 1M1 11 11 1M6 11l5-5M1 6l5 5M1 1l10 10M6 1l5 5" strokeWidth="1" />
  </>
);
