/**
 * Flight Recorder dump as JSON: `_dump_fr_trace_json()`, the HTTP handler, TorchComms.
 *
 *   {"entries":[{"collective_seq_id":1,"is_p2p":false,…}],"pg_config":{…},"version":"2.10"}
 *
 * Differs from the pickle: keys sorted, 0 instead of null for unknown times, counters of `pg_status` as decimal text,
 * never frames, `entries` absent when there are none. Source: PyTorch 2.13 `FlightRecorderDetail.hpp`.
 */
import { readJsonValues } from '../../codecs/json-values/index.ts';
import { type Claim, defineDocumentFormat, type EntryHead, type FormatOutput } from '../../model/format.ts';
import { decodedOutputs } from './dump-outputs.ts';
import { isDumpName } from './name-rank.ts';
import { DUMP_WORDS } from './read-dump.ts';

const MAX_BYTES = 256 * 1024 * 1024;
const STRONG = ['"pg_config"', '"pg_status"', '"collective_seq_id"', '"profiling_name"', '"record_id"'];

function claim(head: EntryHead): Claim | undefined {
  const text = head.text.trimStart().replace(/^\uFEFF/, '');
  if (!text.startsWith('{') && !text.startsWith('[')) return undefined;
  const strong = STRONG.filter((key) => head.text.includes(key));
  if (strong.length >= 2) return { score: 0.95, why: `JSON with ${strong[0]} and ${strong[1]}` };
  if (strong.length === 1) return { score: 0.85, why: `JSON with ${strong[0]}` };
  const weak = DUMP_WORDS.concat('nccl_comm_state', 'comm_lib_version', 'nccl_version').find((key) =>
    head.text.includes(`"${key}"`),
  );
  if (weak === undefined)
    return text.startsWith('{') && isDumpName(head.path)
      ? { score: 0.3, why: 'JSON, named like a recorder dump' }
      : undefined;
  return { score: weak === 'entries' ? 0.35 : 0.6, why: `JSON with "${weak}"` };
}

export default defineDocumentFormat({
  id: 'flight-recorder-json',
  title: 'Recorder dump',
  maxBytes: MAX_BYTES,
  claim,
  parse: (bytes, context): Iterable<FormatOutput> => decodedOutputs(readJsonValues(bytes), 'json', context, bytes),
});
