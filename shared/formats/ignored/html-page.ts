import { defineIgnoredFormat } from '../../model/format.ts';

const START =
  /^\uFEFF?\s{0,200}(?:<\?xml[^>]{0,200}>\s{0,200})?(?:<!--[^>]{0,500}-->\s{0,200})?<(?:!doctype\s+html|html)[\s>]/i;

/**
 * A web page where a log should be: a proxy's error page or a sign-in form, saved by `curl` under the log's name.
 *
 *   <!DOCTYPE html><html><head><title>502 Bad Gateway</title>
 */
export default defineIgnoredFormat({
  id: 'html-page',
  title: 'HTML page',
  issue: 'html-page',
  detail: 'an HTML page, not the log that its name promises',
  claim: (head) => (START.test(head.text) ? { score: 0.99, why: 'starts like an HTML page' } : undefined),
});
