/** Which file of the built window a URL of our own scheme names, and which URLs count at all. Pure: reading it is `app-protocol.ts`. */
export const APP_SCHEME = 'app';
export const APP_ORIGIN = `${APP_SCHEME}://firstfault`;
export const APP_PAGE = `${APP_ORIGIN}/index.html`;

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  woff2: 'font/woff2',
  svg: 'image/svg+xml',
  png: 'image/png',
};

/** Plain names only: no dot segments, no empty ones, no percent escapes, no hidden files. */
const SEGMENT = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,120}$/;

export interface Asset {
  /** Segments below the window's folder. */
  readonly segments: readonly string[];
  readonly type: string;
}

/** Null for every URL that is not exactly one of our files: another host, a path that escapes, an unknown kind. */
export function assetFor(url: string): Asset | null {
  if (!URL.canParse(url)) return null;
  const parsed = new URL(url);
  if (parsed.protocol !== `${APP_SCHEME}:` || parsed.host !== 'firstfault') return null;
  const segments = parsed.pathname.slice(1).split('/');
  if (segments.length > 6 || !segments.every((segment) => SEGMENT.test(segment) && !segment.includes('..')))
    return null;
  const extension = segments.at(-1)?.split('.').at(-1) ?? '';
  const type = Object.hasOwn(TYPES, extension) ? TYPES[extension] : undefined;
  return type === undefined ? null : { segments, type };
}

/** True for the page itself (with any fragment) and for nothing else: the only sender whose messages count. */
export function isAppPage(url: string): boolean {
  return url === APP_PAGE || url.startsWith(`${APP_PAGE}#`);
}

/** The inspector's own pages stay usable in development; they come out of the binary, not from a network. */
export function isAllowedRequest(url: string): boolean {
  return url.startsWith(`${APP_ORIGIN}/`) || url.startsWith('devtools://');
}

/**
 * Nothing but our own files: no inline script or style, no request, no frame, no worker, no eval.
 * React sets styles through the object model, which needs no `unsafe-inline`.
 */
export const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');
