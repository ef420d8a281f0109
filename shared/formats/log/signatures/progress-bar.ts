import type { EventBody } from '../../../model/events.ts';
import { defineSignature, num } from './define.ts';

/** What stands before `%|`: a description, if any, and the percentage. */
const BEFORE = /(?:^|\s|\])([A-Za-z][^%|\r]{0,80}: {0,4})? {0,4}\d{1,3}$/;
const AFTER =
  /^%\|[^|\r]{0,400}\| {0,4}(\d{1,12})\/(\d{1,12}) \[(?:\d{1,5}:){1,3}\d\d[<,][^\]\r]{1,40}?(it\/s|s\/it|B\/s|ex(?:amples)?\/s|batch\/s|ba\/s)/;
const LOOK_BACK = 100;
const LOOK_AHEAD = 600;
/** Bars over data that is prepared, not over steps of training. */
const PREPARING =
  /^(?:Map|Filter|Tokeniz|Token|Download|Fetch|Generat|Load|Resolv|Pack|Index|Build|Preprocess|Process|Convert|Group|Flatten|Sav|Upload|Creat|Encod|Extract|Unpack|Cach)/i;
/** Units of downloads, and of `datasets` as it maps and filters: whatever the bar is called, it is no bar over steps. */
const DATA_UNIT = /^(?:B|ex|examples|ba)\/s$/;
const EVALUATING = /^(?:Eval|Valid|Test|Predict|Infer)/i;
const COMPILING = /^(?:Compil|Captur|Autotun|Warm)/i;

type What = Extract<EventBody, { kind: 'operation-start' }>['what'];

function whatOf(label: string, unit: string): What | undefined {
  if (PREPARING.test(label)) return /^(?:Sav|Upload)/i.test(label) ? 'checkpoint' : 'data';
  if (EVALUATING.test(label)) return 'evaluation';
  if (COMPILING.test(label)) return 'compile';
  return label !== '' && DATA_UNIT.test(unit) ? 'data' : undefined;
}

/**
 * tqdm: `pretrain:   9%|9 | 1958/20000 [17:01<2:35:10, 1.93it/s]`. A bar over steps is progress; one that names another
 * work (`Map: 45%|…`) is that operation, which ends at n/n.
 */
export default defineSignature({
  id: 'progress-bar',
  literals: ['it/s', 's/it', 'B/s]', 'B/s,', 'examples/s', 'batch/s', 'ba/s', 'ex/s'],
  match({ text }) {
    const at = text.indexOf('%|');
    if (at < 0) return undefined;
    const before = BEFORE.exec(text.slice(Math.max(0, at - LOOK_BACK), at));
    const match = AFTER.exec(text.slice(at, at + LOOK_AHEAD));
    if (before === null || match === null) return undefined;
    const label = (before[1] ?? '').trim().replace(/:$/, '');
    const what = whatOf(label, match[3] ?? '');
    const done = num(match[1]);
    if (what === undefined) return { body: { kind: 'progress', step: done, epoch: undefined } };
    return {
      body: { kind: done === num(match[2]) ? 'operation-end' : 'operation-start', what, label: label.slice(0, 120) },
    };
  },
  samples: [
    {
      text: ' 16%|█▋        | 4083/25120 [3:02:19<16:33:47,  2.83s/it]',
      expect: { kind: 'progress', step: 4083, epoch: undefined },
    },
    {
      text: 'pretrain:   2%|          | 410/20000 [03:55<3:07:01, 1.74it/s, loss=2.736]',
      expect: { kind: 'progress', step: 410, epoch: undefined },
    },
    {
      text: 'pretrain:   2%|          | 410/20000 [03:55, 1.74it/s, loss=2.736]',
      expect: { kind: 'progress', step: 410, epoch: undefined },
    },
    {
      text: 'Map (num_proc=8):  45%|####5     | 450/1000 [00:09<00:11, 48.1 examples/s]',
      expect: { kind: 'operation-start', what: 'data', label: 'Map (num_proc=8)' },
    },
    {
      text: 'Tokenizing: 100%|##########| 1000/1000 [00:20<00:00, 48.1 examples/s]',
      expect: { kind: 'operation-end', what: 'data', label: 'Tokenizing' },
    },
    {
      text: 'Running tokenizer on dataset (num_proc=16):   2%|2         | 33000/1517267 [00:16<10:31, 2351.69 examples/s]',
      expect: { kind: 'operation-start', what: 'data', label: 'Running tokenizer on dataset (num_proc=16)' },
    },
    {
      text: ' 45%|####5     | 450/1000 [00:09<00:11, 48.1 examples/s]',
      expect: { kind: 'progress', step: 450, epoch: undefined },
    },
  ],
  nearMisses: ['throughput 3.2 it/s', 'speed: 5% faster, 3.1it/s'],
});
