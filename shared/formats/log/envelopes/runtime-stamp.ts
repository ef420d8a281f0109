import { DIGITS, defineEnvelope, type LogLine } from '../log-line.ts';
import { type ReadStamp, readIsoStamp } from '../stamp.ts';

/**
 * What the container runtime or kubelet puts in front: stamp of the node's clock, and in files of the node also the
 * stream and the fragment tag.
 *
 *   2026-11-29T18:33:01.779332979Z message                       kubectl logs --timestamps: nine digits, zone
 *   2026-03-14T10:17:41Z stdout F message                        CRI record: zero to nine digits
 *   2026-02-18T10:28:25.497Z message                             other digits: some collector's stamp, `zoned`
 *
 * The stamp is when the runtime had read the record, not when the program printed it.
 */
export default defineEnvelope({
  id: 'runtime-stamp',
  first: DIGITS,
  peel(line) {
    if (line.text.charCodeAt(10) !== 84) return false;
    const read = readIsoStamp(line.text, 0);
    if (read === undefined || !read.zoned) return false;
    if (takeCri(line, read)) return true;
    const next = line.text.charCodeAt(read.end);
    if (next !== 32 && !Number.isNaN(next)) return false;
    line.addStamp(line.outer === undefined && read.digits === 9 ? { ...read.raw, kind: 'runtime' } : read.raw);
    line.drop(read.end + 1);
    return true;
  },
  samples: [
    { text: '2026-11-29T18:33:01.779332979Z x', expect: { text: 'x' } },
    { text: '2026-11-29T18:33:01.779332979+08:00', expect: { text: '' } },
    { text: '2026-03-14T10:17:41Z stdout F ', expect: { text: '', output: 'out', partial: false } },
    { text: '2026-03-14T10:18:00.5Z stderr P a b', expect: { text: 'a b', output: 'err', partial: true } },
    { text: '2026-11-29 18:33:01,779 x', expect: undefined },
    { text: '2026-13-29T18:33:01.779332979Z x', expect: undefined },
  ],
});

function takeCri(line: LogLine, read: ReadStamp): boolean {
  const { text } = line;
  if (!text.startsWith(' std', read.end)) return false;
  const out = text.startsWith('out ', read.end + 4);
  if (!out && !text.startsWith('err ', read.end + 4)) return false;
  const tag = text.charAt(read.end + 8);
  if (tag !== 'F' && tag !== 'P') return false;
  const space = text.indexOf(' ', read.end + 9);
  if (space > read.end + 40) return false;
  line.addStamp({ ...read.raw, kind: 'runtime' });
  line.output = out ? 'out' : 'err';
  line.partial = tag === 'P';
  line.text = space < 0 ? '' : text.slice(space + 1);
  return true;
}
