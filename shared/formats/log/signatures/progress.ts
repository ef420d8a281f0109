import type { EventBody } from '../../../model/events.ts';
import { defineSignature, type Hit, num } from './define.ts';
import { programText } from './program-text.ts';

const STEP =
  /(?:^|[\s[({,|"'#])(?:global[_ ]?)?(?:step|iteration|iter|Step|Iteration|Iter|ITERATION|STEP|it)s?(?:\(train\))?"?'?\s{0,8}[:=#]?\s{0,8}\[?\s{0,8}(\d{1,12})(?![\d.]*(?:\s?(?:s|ms|%|x)\b))/;
const EPOCH =
  /(?:^|[\s[({,|"'#])(?:epoch|Epoch|EPOCH)(?:\(train\))?"?'?\s{0,4}[:=#]?\s{0,4}\[?\s{0,4}(\d{1,9})(?:\.\d{1,12})?/;
/** `Epoch: [3][ 120/ 500]`, `Train Epoch: 3 [1280/60000 (2%)]`, `Epoch [3/10], Step [100/600]`, `Epoch(train)  [3][ 120/500]`. */
const BATCH_OF =
  /[Ee]poch(?:\(train\))?:? {0,4}\[?\d{1,9}(?:\/\d{1,9})?\]? {0,4}\[ {0,8}(\d{1,12}) {0,8}\/ {0,8}\d{1,12}/;
const RANK_FIELD = /(?:^|[\s#])rank=(\d{1,7})\b/;
const NODE_FIELD = /(?:^|\s)(?:node|host|hostname)=([\w.-]{1,120})(?=\s|$)/;
/** Lines that speak about a step without being at it. */
const NOT_PROGRESS =
  /\b(?:[Ee]very|[Tt]otal|max|Max|num|per|[Nn]o|last|[Rr]esum(?:e|ing)|[Ww]arm-?up|[Ee]rror|[Ff]ailed|skipp?ed|from) (?:\w{1,20} )?(?:step|iter|epoch)s?\b|[Rr]esum(?:e|ing|ed)\b|[Ss]topped\b/;

/**
 * A loop says where it is: `step 14 loss 2.28`, ` iteration 32/ 50 | …`, `Epoch 3 [120/500]`, `iter=85`,
 * `{'loss': 2.3, 'epoch': 1.2}`. `rank=16` in the same line is the printer's.
 */
export default defineSignature({
  id: 'progress',
  literals: ['step', 'iter', 'poch', 'Step', 'Iter', 'STEP', 'ITER', 'EPOCH', 'it: ', 'it 1', 'it 2'],
  match({ text }): Hit | undefined {
    const said = programText(text);
    if (said.length > 2000 || NOT_PROGRESS.test(said.slice(0, 200))) return undefined;
    const batch = BATCH_OF.exec(said);
    const step = num(batch?.[1] ?? STEP.exec(said)?.[1]);
    const epoch = num(EPOCH.exec(said)?.[1]);
    if ((step === undefined && epoch === undefined) || !looksLikeLoop(said)) return undefined;
    const body: EventBody = { kind: 'progress', step, epoch };
    const rank = num(RANK_FIELD.exec(said)?.[1]);
    if (rank === undefined) return { body };
    const host = NODE_FIELD.exec(said)?.[1];
    return { body, printer: { rank, basis: 'announced', ...(host === undefined ? {} : { host }) } };
  },
  samples: [
    { text: 'INFO:train:step 14 loss 2.2840', expect: { kind: 'progress', step: 14, epoch: undefined } },
    { text: '| 0 | train.py:122 | step 6 evaluated 24 rows', expect: { kind: 'progress', step: 6, epoch: undefined } },
    { text: 'INFO:pretrain:step 13 eval loss 2.6264', expect: { kind: 'progress', step: 13, epoch: undefined } },
    {
      text: 'iteration       32/      50 | elapsed time per iteration (ms): 27590.4 | lm loss: 7.61E+00',
      expect: { kind: 'progress', step: 32, epoch: undefined },
    },
    { text: 'epoch 1 iteration 940, G-Cycle: 0.42, G-L1: 1.93', expect: { kind: 'progress', step: 940, epoch: 1 } },
    {
      text: '# heartbeat rank=16 node=node-c iter=85 elapsed=21.9s',
      expect: { kind: 'progress', step: 85, epoch: undefined },
      printer: { rank: 16, basis: 'announced', host: 'node-c' },
    },
    { text: 'Epoch: [3][ 120/ 500]\tTime 0.1 (0.2)\tLoss 2.3', expect: { kind: 'progress', step: 120, epoch: 3 } },
    { text: 'Train Epoch: 3 [1280/60000 (2%)]\tLoss: 2.3', expect: { kind: 'progress', step: 1280, epoch: 3 } },
    {
      text: 'iter 1200: loss 2.3011, time 120.11ms, mfu 38.1%',
      expect: { kind: 'progress', step: 1200, epoch: undefined },
    },
    {
      text: "{'loss': 2.3011, 'learning_rate': 1e-05, 'epoch': 1.27}",
      expect: { kind: 'progress', step: undefined, epoch: 1 },
    },
    { text: 'epoch 1 finished, saving samples', expect: { kind: 'progress', step: undefined, epoch: 1 } },
    {
      text: '[titan] 2025-03-02 10:00:01,123 - root - INFO - step: 10  loss: 7.1402  memory: 38.50GiB(48.1%)  tps: 1,234',
      expect: { kind: 'progress', step: 10, epoch: undefined },
    },
    { text: 'INFO step: 12  loss: 6.3001', expect: { kind: 'progress', step: 12, epoch: undefined } },
    {
      text: '- mmengine - INFO - Epoch(train)  [3][ 120/7330]  lr: 1.9820e-03  eta: 9:00:00',
      expect: { kind: 'progress', step: 120, epoch: 3 },
    },
    {
      text: '- mmengine - INFO - Iter(train) [  120/80000]  lr: 9.9e-03  eta: 12:00:00',
      expect: { kind: 'progress', step: 120, epoch: undefined },
    },
    {
      text: 'd2.utils.events]:  eta: 1:00:00  iter: 19  total_loss: 2.5  loss_cls: 1.1',
      expect: { kind: 'progress', step: 19, epoch: undefined },
    },
    {
      text: 'ep 13 train, step 95, ctc_4 4.363, num_seqs 10, mem_usage:cuda:0 8.9GB, 0.750 sec/step',
      expect: { kind: 'progress', step: 95, epoch: undefined },
    },
    { text: 'INFO trainer: waiting at step=1959', expect: { kind: 'progress', step: 1959, epoch: undefined } },
  ],
  nearMisses: [
    'INFO train: finished after 30 steps',
    'saving every 500 steps',
    'flight recorder written (no step for 8 s)',
    'INFO trainer: resume from /ckpt/step_000400 (attempt 1)',
    'max_steps: 1000',
    'saving /checkpoints/step-000009.pt',
    'see iter_utils.py line 3',
    '- mmengine - INFO - Epoch(val)  [3][ 20/100]  eta: 0:00:10',
  ],
});

/** The number is near the start, or the line has the measures that loops print. */
function looksLikeLoop(said: string): boolean {
  return (
    /^\W{0,12}(?:\w{1,16}:? ){0,3}[[({"'#]?(?:global[_ ]?)?(?:step|iteration|iter|epoch|it)s?\b/i.test(said) ||
    /\b(?:loss|lr|learning_rate|elapsed|it\/s|s\/it|tokens|acc|grad_norm|throughput|mfu|samples|total_loss|loss_\w{1,20}|sec\/step)\b/i.test(
      said,
    ) ||
    /\b(?:step|iter|epoch)=\d/.test(said)
  );
}
