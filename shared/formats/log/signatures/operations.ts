import type { EventBody } from '../../../model/events.ts';
import { defineSignature } from './define.ts';
import { programText } from './program-text.ts';

type What = Extract<EventBody, { kind: 'operation-start' }>['what'];

interface Shape {
  readonly pattern: RegExp;
  readonly what: What;
  readonly end: boolean;
}

const NOUN =
  '((?:(?:the|latest|best|last|final|model|full|sharded|optimizer|distributed|new) ){0,4}(?:checkpoint|model|weights|state(?: dict)?|optimizer)s?)\\b';
const PATH =
  /(?:^|\s|['"(])((?:[a-z0-9]{1,8}:)?\/{1,2}\S{1,300}|\S{1,200}\/\S{1,200}|\S{1,200}\.(?:pt|pth|ckpt|bin|safetensors|distcp|pkl|npz)\b)/;

/** Anchored at the program's words. Where a capture has no path in it, it is the label itself. */
const SHAPES: readonly Shape[] = [
  { pattern: new RegExp(`^(?:\\[Torch\\] )?(?:[Ss]uccessfully )?[Ss]aved ${NOUN}`), what: 'checkpoint', end: true },
  { pattern: /^(?:\[Torch\] )?(?:[Ss]uccessfully )?[Ss]aved (\S{1,300}[/.]\S{1,300})/, what: 'checkpoint', end: true },
  {
    pattern: /^(?:[Cc]heckpoint|Model weights|Model)(?: \S{1,200})? (?:has been )?(?:saved|written)\b/,
    what: 'checkpoint',
    end: true,
  },
  {
    pattern: new RegExp(`^(?:[Dd]one|[Ff]inished|[Cc]ompleted) (?:saving|writing)(?: ${NOUN})?`),
    what: 'checkpoint',
    end: true,
  },
  { pattern: new RegExp(`^(?:\\[Torch\\] )?[Ss]aving ${NOUN}`), what: 'checkpoint', end: false },
  { pattern: /^(?:\[Torch\] )?[Ss]aving (\S{1,300}[/.]\S{1,300})/, what: 'checkpoint', end: false },
  {
    pattern: new RegExp(`^(?:[Ww]riting|[Ss]tart(?:ed|ing)? (?:to )?(?:sav|writ)(?:e|ing)) ${NOUN}`),
    what: 'checkpoint',
    end: false,
  },
  { pattern: /^[Ee]valuated (\S{1,120})/, what: 'evaluation', end: true },
  {
    pattern: /^(?:[Ee]valuation|[Vv]alidation) (?:finished|done|complete(?:d)?|took)\b/,
    what: 'evaluation',
    end: true,
  },
  {
    pattern: /^(?:\*{2,10} ?)?(?:[Rr]unning|[Ss]tart(?:ed|ing)?) (?:[Ee]valuation|[Vv]alidation|[Pp]rediction)\b/,
    what: 'evaluation',
    end: false,
  },
  { pattern: /^[Ee]valuating (\S{1,120})/, what: 'evaluation', end: false },
  {
    pattern: /^(?:[Cc]ompiled|[Ff]inished compiling) (?:kernel |graph |model |function )?(\S{1,160})/,
    what: 'compile',
    end: true,
  },
  { pattern: /^[Cc]ompiling (?:the )?(?:kernel |graph |model |function )?(\S{1,160})/, what: 'compile', end: false },
  { pattern: /^(?:[Aa]utotuning|AUTOTUNE|[Cc]apturing CUDA graphs?)\b ?(\S{0,120})/, what: 'compile', end: false },
  {
    pattern:
      /^(?:[Ll]oaded|[Dd]ownloaded|[Tt]okeni[sz]ed|[Ff]inished (?:loading|downloading|tokeni[sz]ing)) (?:dataset |data )?(\S{1,300})/,
    what: 'data',
    end: true,
  },
  {
    pattern:
      /^(?:[Ll]oading|[Dd]ownloading|[Tt]okeni[sz]ing|[Pp]reprocessing|[Bb]uilding index(?: for)?) (?:dataset |data )?(\S{1,300})/,
    what: 'data',
    end: false,
  },
];

/** What pairs a start with its end: the path in the line, else the words of the shape. */
function labelOf(what: What, said: string, captured: string | undefined): string {
  const path = what === 'checkpoint' ? PATH.exec(said.slice(0, 600))?.[1] : undefined;
  return (path ?? captured ?? '')
    .replace(/^(?:the |new )/, '')
    .replace(/[.,;:…'")]+$/, '')
    .slice(0, 200);
}

/**
 * Work that may take long while other ranks wait, at its start and at its end: checkpoints, evaluation, data, compiling.
 * A start whose end is missing on one rank, with the others timing out, is a lead.
 */
export default defineSignature({
  id: 'operation',
  literals: [
    'aving ',
    'aved ',
    'saved',
    'written',
    'riting ',
    'valuat',
    'alidation',
    'ompil',
    'utotuning',
    'AUTOTUNE',
    'apturing CUDA',
    'oading ',
    'oaded ',
    'ownload',
    'okeniz',
    'okenis',
    'reprocessing',
    'uilding index',
    'rediction',
  ],
  match({ text }) {
    const said = programText(text);
    if (said.length > 1000) return undefined;
    for (const { pattern, what, end } of SHAPES) {
      const match = pattern.exec(said);
      if (match === null) continue;
      return { body: { kind: end ? 'operation-end' : 'operation-start', what, label: labelOf(what, said, match[1]) } };
    }
    return undefined;
  },
  samples: [
    {
      text: 'INFO:train:saving /checkpoints/step-000009.pt',
      expect: { kind: 'operation-start', what: 'checkpoint', label: '/checkpoints/step-000009.pt' },
    },
    {
      text: 'INFO:train:saved /checkpoints/step-000009.pt',
      expect: { kind: 'operation-end', what: 'checkpoint', label: '/checkpoints/step-000009.pt' },
    },
    {
      text: '- root - INFO - Saving latest checkpoint model trained for 3 complete epochs and 36738 additional batches, or 369000 total batches',
      expect: { kind: 'operation-start', what: 'checkpoint', label: 'latest checkpoint' },
    },
    {
      text: 'Saving model checkpoint to out/checkpoint-500',
      expect: { kind: 'operation-start', what: 'checkpoint', label: 'out/checkpoint-500' },
    },
    {
      text: '[Torch] Saved out/mp_rank_00_model_states.pt.',
      expect: { kind: 'operation-end', what: 'checkpoint', label: 'out/mp_rank_00_model_states.pt' },
    },
    {
      text: '[runner.py:2210] compiling kernel _prepare_dflash_inputs_kernel',
      expect: { kind: 'operation-start', what: 'compile', label: '_prepare_dflash_inputs_kernel' },
    },
    { text: '***** Running Evaluation *****', expect: { kind: 'operation-start', what: 'evaluation', label: '' } },
    {
      text: 'INFO data: loading /data/shard-0001.bin',
      expect: { kind: 'operation-start', what: 'data', label: '/data/shard-0001.bin' },
    },
  ],
  nearMisses: [
    'step 6 evaluated 24 rows',
    'memory saving mode is on',
    'flight recorder written (RuntimeError)',
    'energy saved',
  ],
});

/** The work is done: `finished after 30 steps`, `Training completed`, Lightning's `max_steps` line. */
export const finished = defineSignature({
  id: 'finished',
  literals: [
    'inished',
    'raining complete',
    'raining done',
    'raining is complete',
    'raining has',
    'Trainer.fit` stopped',
    'one training',
  ],
  match({ text }) {
    const said = programText(text);
    const steps = /^[Ff]inished (?:training )?(?:after|in) (\d{1,12}) (?:steps|iterations)\b/.exec(said);
    if (steps !== null) return { body: { kind: 'finished', steps: Number(steps[1]) } };
    const done =
      /^(?:`?Trainer\.fit`? stopped: `?max_(?:epochs|steps)|[Tt]raining (?:is |has )?(?:completed?|finished|done)\b|(?:[Dd]one|[Ff]inished|[Cc]ompleted) training\b)/;
    return done.test(said) ? { body: { kind: 'finished', steps: undefined } } : undefined;
  },
  samples: [
    { text: 'INFO train: finished after 30 steps', expect: { kind: 'finished', steps: 30 } },
    { text: '[03:09:46] INFO     training finished', expect: { kind: 'finished', steps: undefined } },
    { text: 'Training completed. Do not forget to share your model', expect: { kind: 'finished', steps: undefined } },
    { text: '`Trainer.fit` stopped: `max_steps=100` reached.', expect: { kind: 'finished', steps: undefined } },
  ],
  nearMisses: ['epoch 1 finished, saving samples', 'job not finished', 'training completes in 3 h'],
});
