/**
 * HTML → PDF in a window that nobody sees: sandboxed, without scripts, without preload, in a session of its own that serves this one page
 * and nothing else.
 */
import { randomUUID } from 'node:crypto';
import { BrowserWindow, session } from 'electron';
import { APP_ORIGIN, APP_SCHEME } from './assets.ts';

const PAGE = `${APP_ORIGIN}/report.html`;
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";
/** A report of ten thousand files takes seconds; what takes longer than this hangs. */
const TIMEOUT_MS = 60_000;

const FOOTER =
  '<div style="font:8px sans-serif;color:#5a6370;width:100%;padding:0 15mm;text-align:right">page <span class="pageNumber"></span> of <span class="totalPages"></span></div>';

export async function printToPdf(html: string): Promise<Buffer> {
  // In memory only: the name has no `persist:`.
  const own = session.fromPartition(`report-${randomUUID()}`);
  own.protocol.handle(APP_SCHEME, (request) =>
    request.url === PAGE && request.method === 'GET'
      ? new Response(html, {
          status: 200,
          headers: { 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': POLICY },
        })
      : new Response(null, { status: 404 }),
  );
  const window = new BrowserWindow({
    show: false,
    webPreferences: {
      session: own,
      sandbox: true,
      javascript: false,
      contextIsolation: true,
      nodeIntegration: false,
      webSecurity: true,
      webgl: false,
      images: false,
      enableWebSQL: false,
      spellcheck: false,
    },
  });
  let timer: NodeJS.Timeout | undefined;
  try {
    const tooLong = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new Error('printing took longer than a minute')), TIMEOUT_MS);
    });
    const printed = window.loadURL(PAGE).then(() =>
      window.webContents.printToPDF({
        pageSize: 'A4',
        printBackground: true,
        preferCSSPageSize: true,
        displayHeaderFooter: true,
        headerTemplate: '<span></span>',
        footerTemplate: FOOTER,
        generateTaggedPDF: true,
      }),
    );
    return await Promise.race([printed, tooLong]);
  } finally {
    clearTimeout(timer);
    window.destroy();
    own.protocol.unhandle(APP_SCHEME);
  }
}
