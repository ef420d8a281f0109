/** One sentence per issue code: what happened and what it means for the result. `detail` fills in the particulars. */
import type { IssueCode } from '../model/issue.ts';

const SENTENCES: Record<IssueCode, string> = {
  'archive-truncated': 'The archive ends early; everything before the break was read.',
  'archive-damaged': 'The archive is damaged here; what could be read was read.',
  'archive-part-missing': 'A part of a split archive is missing.',
  'entry-path-escapes': 'Refused: the path leads outside the bundle.',
  'entry-is-link':
    'The entry is a link. Links are never followed: one that leads outside the bundle is refused, any other is passed over.',
  'entry-is-device': 'Refused: the entry is a device or pipe.',
  'entry-too-large': 'Refused: the entry is larger than the limit.',
  'bundle-too-large': 'Refused: the bundle unpacks to more than the limit.',
  'too-many-entries': 'Refused: the bundle holds more entries than the limit.',
  'ratio-too-high': 'Refused: it unpacks to far more than its size, as a decompression bomb does.',
  'path-too-long': 'Refused: the path is longer than the limit.',
  'import-stopped': 'The import was ended before every file was read; the case holds what was read until then.',
  'entry-encrypted': 'The entry is encrypted and was not read.',
  'duplicate-path': 'Two entries have the same path; both are kept.',
  'nested-archive-not-opened': 'An archive inside the bundle was not opened.',
  'unsupported-archive': 'This kind of archive cannot be read.',
  'sparse-entry': 'Refused: the entry is stored with holes (sparse), which is not read.',
  'empty-file': 'The file has no content.',
  'file-truncated': 'The file ends in the middle of a record; everything before was read.',
  'unknown-text': 'Text that no known format claims; it is kept, and can be read, but was not used.',
  'unknown-binary': 'Binary content that no known format claims; it was not used.',
  'html-page': 'This is a web page, often an error page saved in place of the file.',
  'read-failed': 'The file could not be read.',
  'file-changed': 'Something wrote to the file while it was read; import it again when that has ended.',
  'document-too-large': 'The document is larger than the limit for its kind and was not parsed.',
  'undecodable-bytes': 'Some bytes are not valid UTF-8; they are shown as replacement characters.',
  'line-too-long': 'Some lines are longer than the limit; only their beginning was looked at.',
  'nul-bytes': 'The text holds NUL bytes, as after a crash of the machine that wrote it.',
  'parser-failed': 'Reading stopped because of a fault in this program; the rest of the bundle was analysed.',
  'collector-message': 'The collector wrote a message in place of the content.',
  'duplicate-content': 'The content equals that of another entry; it was used once.',
  'log-tail-only': 'The log begins in the middle; its start was cut off before it was collected.',
  'log-may-be-cut': 'A part of the log may be missing: it was cut before or while it was collected.',
  'yaml-invalid': 'The YAML could not be parsed.',
  'json-invalid': 'The JSON could not be parsed.',
  'export-invalid': 'Part of a log export could not be read.',
  'list-empty': 'The collector asked for objects of a kind, and there were none.',
  'object-kind-unknown': 'An object of a kind that is not used.',
  'object-field-invalid': 'A field has an unexpected form and was ignored.',
  'table-header-unknown': 'A table whose columns are not known.',
  'pickle-refused':
    'Refused: the pickle holds an operation that no recorder dump needs; such ones import or run code. Nothing in it was run.',
  'pickle-invalid': 'The pickle is damaged.',
  'pickle-limit': 'The pickle goes beyond a safety limit.',
  'dump-shape-unknown': 'The content is not a Flight Recorder dump as any known version writes it.',
  'dump-entry-invalid': 'Some records of the dump could not be used.',
  'dump-data-after-end': 'The dump has data after its end; it was ignored.',
  'dump-rank-unknown': 'The rank of this dump is not known; it could not be compared.',
  'dump-rank-conflict': 'File name and content disagree about the rank of this dump.',
  'dump-of-earlier-attempt': 'This dump is of an earlier attempt than the others; it was not compared with them.',
  'dump-version-unknown': 'A version of the dump format that is not known; read as the nearest known one.',
  'time-zone-assumed': 'Time stamps without a zone; UTC was assumed.',
  'time-year-assumed': 'Time stamps without a year; it was taken from the neighbours.',
  'time-out-of-range': 'Some time stamps lie outside the range that makes sense and were ignored.',
  'no-time-stamps': 'No line carries a time; the order inside this file is known, but not its place in time.',
  'rank-conflict': 'Sources disagree about the place of a rank.',
  'rank-unmapped': 'Lines or a dump could not be given to a rank.',
};

/** The sentence, with the particulars appended if there are any. */
export function issueText(code: IssueCode, detail: string): string {
  const sentence = SENTENCES[code];
  return detail === '' ? sentence : `${sentence} (${detail})`;
}
