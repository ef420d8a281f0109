/**
 * The report of nvidia-bug-report.sh: everything about a node's driver in one text file of some hundred sections.
 *
 *   Start of NVIDIA bug report log file.  …
 *   Date: Sat Mar 14 10:25:02 UTC 2026
 *   uname: Linux gpu-node-03 5.15.0-… x86_64 GNU/Linux
 *   ____________________________________________
 *
 *   *** /usr/bin/nvidia-smi --query
 *   …
 *   ____________________________________________
 *
 *   *** journalctl -b -0 _COMM=kernel            (also dmesg, /var/log/messages, /var/log/kern.log, …)
 *
 * Sections of kernel messages go through the kernel log's reader, those of nvidia-smi through that of the GPU state; the others are
 * kept as text. Host: of `uname`. Clock: as in those formats. Not covered: PCI listings, firmware and library sections.
 */
import { defineLineFormat, type EntryContext, type FormatOutput, type LineReader } from '../model/format.ts';
import gpuState from './gpu-state/index.ts';
import kernelLog from './kernel-log.ts';
import { withoutCr } from './log/terminal-text.ts';
import { looksLikeText } from './text-head.ts';

const START = /^Start of NVIDIA bug report log file/m;
const RULER = /^_{30,60}\s*$/;
const SECTION = /^\*\*\* (\S.{0,400})$/;
const UNAME = /^uname: Linux ([A-Za-z0-9][A-Za-z0-9.-]{0,252}) \S/;
const KERNEL = /\bdmesg\b|\bjournalctl\b|\/(?:kern\.log|messages|syslog)\b/;
const SMI = /\bnvidia-smi\b/;
/** Behind a ruler come a blank line and a title or two; text that merely holds `***` is no title. */
const TITLE_WITHIN = 3;

export default defineLineFormat({
  id: 'nvidia-bug-report',
  title: 'NVIDIA bug report',
  claim: ({ text }) =>
    looksLikeText(text) && START.test(text) ? { score: 0.97, why: 'the heading of nvidia-bug-report.sh' } : undefined,
  open: (context, emit) => openReport(context, emit),
});

function openReport(context: EntryContext, emit: (output: FormatOutput) => void): LineReader {
  let host: string | undefined;
  let sinceRuler = TITLE_WITHIN + 1;
  let sections = 0;
  let lines = 0;
  let current: LineReader | undefined;
  const said: string[] = [];
  const openPart = (format: typeof kernelLog) => {
    let reader: LineReader | undefined;
    return () => {
      reader ??= format.open(context, (output) => {
        if (output.kind === 'summary') said.push(output.text);
        else emit(ofHost(output, host));
      });
      return reader;
    };
  };
  const kernel = openPart(kernelLog);
  const smi = openPart(gpuState);
  const opened = new Set<LineReader>();

  return {
    line(text, lineNumber, byte, length) {
      lines += 1;
      const plain = withoutCr(text.slice(0, 4000));
      host ??= UNAME.exec(plain)?.[1];
      if (RULER.test(plain)) {
        sinceRuler = 0;
        current = undefined;
        return Number.NaN;
      }
      sinceRuler += 1;
      const title = sinceRuler <= TITLE_WITHIN ? SECTION.exec(plain)?.[1] : undefined;
      if (title !== undefined) {
        if (title.startsWith('ls:')) return Number.NaN;
        sections += 1;
        current = KERNEL.test(title) ? kernel() : SMI.test(title) ? smi() : undefined;
        if (current !== undefined) opened.add(current);
        return Number.NaN;
      }
      return current?.line(text, lineNumber, byte, length) ?? Number.NaN;
    },
    end() {
      for (const reader of opened) reader.end();
      const parts = [`${lines} lines, ${sections} ${sections === 1 ? 'section' : 'sections'}`, ...said];
      emit({ kind: 'summary', text: parts.join('; ') });
    },
  };
}

/** What a part of the report tells is of the node that the report names. */
function ofHost(output: FormatOutput, host: string | undefined): FormatOutput {
  if (host === undefined) return output;
  if (output.kind === 'event') return { ...output, event: { ...output.event, host: output.event.host ?? host } };
  if (output.kind === 'stream') return { ...output, stream: { ...output.stream, host: output.stream.host ?? host } };
  return output;
}
