import { DIGITS, defineEnvelope, type EntryMemory } from '../log-line.ts';
import { LAYER_START_CHARACTERS, startsLayer } from './layer-start.ts';

const LABEL = /^(P\d{1,3} )?( {0,5})(\d{1,6}): ?/;
/** Labelled lines of different tasks that must be seen before the form is believed. Chosen, not measured. */
const ENOUGH_LABELS = 2;

/**
 * `srun --label`: the task's number, right-aligned to the width of the highest one: ` 9: text`, `31: text`; in jobs of
 * several components `P1  3: text`, where it counts within the component and is no rank. Since any text may begin with
 * a number and a colon, the form is believed once a labelled line goes on with another layer, or most lines of the
 * entry have labels of one width.
 */
export default defineEnvelope({
  id: 'srun-label',
  first: ` P${DIGITS}`,
  peel(line, memory) {
    if (line.outer?.kind === 'runtime' || line.task !== undefined) return false;
    const match = LABEL.exec(line.text);
    if (match === null) return false;
    const [all, component, spaces = '', digits = ''] = match;
    if (startsLayer(line.text.slice(all.length, all.length + LAYER_START_CHARACTERS))) memory.labelled = true;
    if (!isLabelled(memory, spaces.length + digits.length, Number(digits))) return false;
    if (component === undefined) line.setTask(Number(digits), memory);
    else line.tag += all;
    line.drop(all.length);
    return true;
  },
  samples: [
    { text: ' 9: [rank9] step 4', expect: { rank: 9, rankBasis: 'launcher-prefix', text: '[rank9] step 4' } },
    {
      text: '5: gpu-14:4021:4077 [1] bootstrap.cc:77 NCCL WARN x',
      expect: { rank: 5, text: 'gpu-14:4021:4077 [1] bootstrap.cc:77 NCCL WARN x' },
    },
    { text: '12: 34:56:78 [0] apples', expect: undefined },
    { text: '12: 34 apples', expect: undefined },
    { text: 'P1 x: text', expect: undefined },
  ],
});

function isLabelled(memory: EntryMemory, width: number, task: number): boolean {
  if (memory.labelLines === 0) memory.labelWidth = width;
  memory.labelLines += 1;
  if (memory.labels.size < ENOUGH_LABELS) memory.labels.add(task);
  if (width !== memory.labelWidth) return memory.labelled;
  if (memory.labels.size >= ENOUGH_LABELS && memory.labelLines * 5 >= memory.lines * 4) memory.labelled = true;
  return memory.labelled;
}
