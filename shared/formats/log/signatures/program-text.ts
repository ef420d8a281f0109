/** The words of a program's own line, without its logger's level, name and place. */

const SEPARATORS = /^[\s|:>–-]+/;
const LEVEL =
  /^[[(]?(?:DEBUG|INFO|WARNING|WARN|ERROR|CRITICAL|FATAL|NOTICE|SUCCESS|TRACE|debug|info|warning|error)[\])]?(?=[\s:|\]\-,]|$)/;
/** The time of day alone, as rich prints it: `[03:09:46] INFO     done`. */
const CLOCK = /^\[\d{2}:\d{2}:\d{2}\](?=\s)/;
const COLUMN = /^\d{1,7}\s{0,8}\|/;
const PLACE = /^[[(]?[\w./<>-]{1,80}\.py(?::\w{1,60})?:\d{1,6}(?::\w{1,60})?[\])]?(?=[\s:|\]-]|$)/;
const QUALIFIED_PLACE = /^[a-zA-Z_][\w.]{0,80}:[\w<>]{1,60}:\d{1,6}(?=[\s:|\]-]|$)/;
/** Not the type of an exception, and not where a loop is (`INFO - step: 10  loss: 7.1`), which have the same form. */
const LOGGER =
  /^(?![\w.]{0,60}(?:Error|Exception|Interrupt)\b)(?!(?:global_)?(?:[Ss]tep|[Ii]ter(?:ation)?|[Ee]poch):\s)[a-zA-Z_][\w.]{0,60}(?=:(?:\s|[^\s/\\])| - | \| )/;
const BRACKETED = /^\[(?:[a-zA-Z_][\w.-]{0,40}|PID=?\d{1,8}|\d{1,8})\](?=\s)/;
/** Parts of a header taken off at most. */
const MAX_PARTS = 8;

/**
 * `INFO:train:step 4` → `step 4` · `| 1 | train.py:176 | go` → `go` · `- root - INFO - Saving` → `Saving`. A name before
 * a colon is taken for a logger only next to a level or a separator, so that `Epoch: [3]` stays whole.
 */
export function programText(text: string): string {
  if (text !== lastText) {
    lastText = text;
    lastResult = strip(text);
  }
  return lastResult;
}

/** Several shapes ask for the same line one after the other. */
let lastText = '';
let lastResult = '';

function strip(text: string): string {
  let rest = text;
  let header = false;
  for (let part = 0; part < MAX_PARTS; part++) {
    const separator = SEPARATORS.exec(rest);
    if (separator !== null) {
      if (/[|-]/.test(separator[0])) header = true;
      rest = rest.slice(separator[0].length);
    }
    const level = LEVEL.exec(rest);
    const match =
      level ??
      CLOCK.exec(rest) ??
      COLUMN.exec(rest) ??
      PLACE.exec(rest) ??
      QUALIFIED_PLACE.exec(rest) ??
      BRACKETED.exec(rest) ??
      (header ? LOGGER.exec(rest) : null);
    if (match === null || match[0].length === rest.length) return rest;
    header = true;
    rest = rest.slice(match[0].length);
  }
  return rest.replace(SEPARATORS, '');
}
