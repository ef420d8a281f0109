import { defineEnvelope } from '../log-line.ts';
import { readIsoStamp } from '../stamp.ts';

const JSON_STAMP = /^\{.{0,300}?"(?:time|timestamp|ts|asctime|@timestamp)": ?"/;
const LOGFMT_STAMP = /^(?:time|ts)="?/;

/**
 * Stamp of structured log lines: `{"level":"info","timestamp":"2026-03-14T10:17:38Z","message":"…"}` and logfmt's
 * `time=2026-03-14T10:17:38Z level=ERROR msg="…"`. The text stays whole.
 */
export default defineEnvelope({
  id: 'structured-stamp',
  first: '{t',
  peel(line) {
    if (line.inner !== undefined) return false;
    const match = JSON_STAMP.exec(line.text) ?? LOGFMT_STAMP.exec(line.text);
    const read = match && readIsoStamp(line.text, match[0].length);
    if (read) line.addStamp(read.raw);
    // The text is left as it is, so the layer counts as not taken off: nothing can follow it.
    return false;
  },
  samples: [{ text: '{"a":1}', expect: undefined }],
});
