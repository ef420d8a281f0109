import { defineEnvelope, type EntryMemory, type LogLine } from '../log-line.ts';
import { podFromFileName } from '../path-facts.ts';

const DUMP =
  /^==== (START|END) logs for container ([a-z0-9-]{1,63}) of pod ([a-z0-9-]{1,63})\/([a-z0-9.-]{1,253}) ====$/;
const TAIL = /^==> (.{1,400}) <==$/;

/**
 * Headers between the logs of several containers in one file: `==== START logs for container C of pod NS/POD ====`
 * (`kubectl cluster-info dump`) and `==> logs/POD.log <==` (`tail`, `head`). They give the place of the lines after them.
 */
export default defineEnvelope({
  id: 'section-header',
  first: '=',
  peel(line, memory) {
    const dump = line.text.startsWith('==== ') ? DUMP.exec(line.text) : null;
    if (dump !== null) {
      const start = dump[1] === 'START';
      memory.isHeader = true;
      memory.sectionContainer = start ? dump[2] : undefined;
      memory.sectionNamespace = start ? dump[3] : undefined;
      memory.sectionPod = start ? dump[4] : undefined;
      line.container = dump[2];
      line.namespace = dump[3];
      line.pod = dump[4];
      return false;
    }
    const tail = line.text.startsWith('==> ') ? TAIL.exec(line.text) : null;
    if (tail !== null) {
      memory.isHeader = true;
      memory.sectionContainer = undefined;
      memory.sectionNamespace = undefined;
      memory.sectionPod = podFromFileName(tail[1] ?? '');
    }
    return false;
  },
  samples: [{ text: '============', expect: undefined }],
});

const END_AT_END = /==== END logs for container [a-z0-9-]{1,63} of pod [a-z0-9-]{1,63}\/[a-z0-9.-]{1,253} ====$/;

/** The last line of a log may lack its line feed: then the section's end stands behind it. */
export function cutSectionEnd(line: LogLine, memory: EntryMemory): void {
  if (!line.text.endsWith(' ====') || line.text.startsWith('==== ')) return;
  const at = line.text.slice(-500).search(END_AT_END);
  if (at < 0) return;
  line.pod ??= memory.sectionPod;
  line.container ??= memory.sectionContainer;
  line.namespace ??= memory.sectionNamespace;
  memory.sectionPod = undefined;
  memory.sectionContainer = undefined;
  memory.sectionNamespace = undefined;
  line.text = line.text.slice(0, Math.max(0, line.text.length - 500) + at);
}
