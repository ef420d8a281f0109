import { DIGITS, defineEnvelope, type EntryMemory } from '../log-line.ts';

const LABEL = /^(?:P\d{1,3} )?( {0,5})(\d{1,6}): ?/;
/** Labelled lines of different tasks that must be seen before the form is believed. Chosen, not measured. */
const ENOUGH_LABELS = 2;

/**
 * `srun --label`: the task's number, right-aligned to the width of the highest one: ` 9: text`, `31: text`; in jobs of
 * several components `P1  3: text`. The task number is usually the global rank. Since any text may begin with a number
 * and a colon, the form is believed once the entry names srun, or most of its lines have labels of one width.
 */
export default defineEnvelope({
  id: 'srun-label',
  first: ` P${DIGITS}`,
  peel(line, memory) {
    if (line.outer?.kind === 'runtime') return false;
    const match = LABEL.exec(line.text);
    if (match === null) return false;
    const task = Number(match[2]);
    if (!isLabelled(memory, (match[1] ?? '').length + (match[2] ?? '').length, task)) return false;
    line.setTask(task, memory);
    line.drop(match[0].length);
    return true;
  },
  samples: [{ text: 'P1 x: text', expect: undefined }],
});

function isLabelled(memory: EntryMemory, width: number, task: number): boolean {
  if (memory.labelLines === 0) memory.labelWidth = width;
  if (width !== memory.labelWidth) return memory.labelled && width > memory.labelWidth;
  memory.labelLines += 1;
  if (memory.labels.size < ENOUGH_LABELS) memory.labels.add(task);
  if (!memory.labelled && memory.labels.size >= ENOUGH_LABELS && memory.labelLines * 5 >= memory.lines * 4) {
    memory.labelled = true;
  }
  return memory.labelled;
}
