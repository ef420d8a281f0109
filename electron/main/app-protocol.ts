import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { protocol, type Session } from 'electron';
import { APP_SCHEME, assetFor, CONTENT_SECURITY_POLICY } from './assets.ts';

/** Before `ready`: our scheme behaves as an origin of its own (secure, with storage), without `fetch` and without CORS. */
export function registerAppScheme(): void {
  protocol.registerSchemesAsPrivileged([{ scheme: APP_SCHEME, privileges: { standard: true, secure: true } }]);
}

/** After `ready`: serves the files below `folder` (which may lie in an asar archive) and 404 for everything else. */
export function serveApp(session: Session, folder: string): void {
  session.protocol.handle(APP_SCHEME, async (request) => {
    const asset = request.method === 'GET' ? assetFor(request.url) : null;
    if (!asset) return notFound();
    try {
      const body = await readFile(join(folder, ...asset.segments));
      return new Response(new Uint8Array(body), { status: 200, headers: headersFor(asset.type) });
    } catch {
      return notFound();
    }
  });
}

function headersFor(type: string): Record<string, string> {
  return {
    'Content-Type': type,
    'Content-Security-Policy': CONTENT_SECURITY_POLICY,
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
  };
}

function notFound(): Response {
  return new Response(null, { status: 404, headers: { 'Content-Security-Policy': CONTENT_SECURITY_POLICY } });
}
