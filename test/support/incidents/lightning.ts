/**
 * How a program on Lightning 2 speaks. Its own lines carry no rank, but for two kinds: what all ranks say once at the start, and what its
 * signal handler says (there the number is the local rank). Rank 0 draws one progress bar, which ends its line only when the epoch does.
 *
 *     [rank: 3] Seed set to 42                                         up to 2.0: Global seed set to 42, without a rank
 *     Initializing distributed: GLOBAL_RANK: 3, MEMBER: 4/8
 *     ----… / distributed_backend=nccl / All distributed processes registered. Starting with 8 processes / ----…
 *     LOCAL_RANK: 3 - CUDA_VISIBLE_DEVICES: [0,1,2,3]
 *     \rEpoch 0:  21%|██        | 5/24 [00:01<00:05,  3.41it/s, v_num=0, train_loss=2.340]
 */

const SITE = '/opt/venv/lib/python3.11/site-packages/lightning/pytorch';

/** Lightning says it on rank 0 only. */
export const onlyFirstRankSays = (text: string): boolean => text.startsWith('finished after');

/** What the loop says, in Lightning's words; what the program prints by itself stays as it is. */
export function lightningText(text: string, steps: number): string {
  const step = /^step (\d+) loss (\S+)$/.exec(text);
  if (step !== null) return progressBar(Number(step[1]) + 1, steps, step[2] ?? '');
  if (/^step \d+ evaluated/.test(text))
    return `\rValidation DataLoader 0: 100%|${'█'.repeat(10)}| 1/1 [00:00<00:00, 41.20it/s]`;
  // The bar's line ends with the epoch.
  if (text.startsWith('finished after')) return `\n\`Trainer.fit\` stopped: \`max_steps=${steps}\` reached.`;
  return text;
}

function progressBar(done: number, steps: number, loss: string): string {
  const tenths = Math.floor((10 * done) / steps);
  const bar = '█'.repeat(tenths) + ' '.repeat(10 - tenths);
  const percent = String(Math.floor((100 * done) / steps)).padStart(3);
  const clock = (seconds: number): string =>
    `${String(Math.floor(seconds / 60)).padStart(2, '0')}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`;
  const seconds = done * 0.29;
  const left = (steps - done) * 0.29;
  return `\rEpoch 0: ${percent}%|${bar}| ${done}/${steps} [${clock(seconds)}<${clock(left)},  3.41it/s, v_num=0, train_loss=${loss}]`;
}

/** The lines of one rank at its start; those that name the group come from rank 0 only. */
export function lightningStart(rank: {
  readonly rank: number;
  readonly localRank: number;
  readonly world: number;
  readonly local: number;
  readonly backend: string;
  /** Lightning up to 2.0. */
  readonly old: boolean;
}): { readonly hello: string; readonly ready: string | undefined; readonly devices: string | undefined } {
  const seed = rank.old ? 'Global seed set to 42' : `[rank: ${rank.rank}] Seed set to 42`;
  const hello = `${seed}\nInitializing distributed: GLOBAL_RANK: ${rank.rank}, MEMBER: ${rank.rank + 1}/${rank.world}`;
  const rule = '-'.repeat(100);
  const ready = [
    rule,
    `distributed_backend=${rank.backend}`,
    `All distributed processes registered. Starting with ${rank.world} processes`,
    rule,
    '',
  ].join('\n');
  const devices = Array.from({ length: rank.local }, (_, i) => i).join(',');
  return {
    hello,
    ready: rank.rank === 0 ? ready : undefined,
    devices: rank.backend === 'nccl' ? `LOCAL_RANK: ${rank.localRank} - CUDA_VISIBLE_DEVICES: [${devices}]` : undefined,
  };
}

/** Between the program's `trainer.fit` and its own step: the frames of Lightning. */
export const LIGHTNING_FRAMES: readonly string[] = [
  `  File "${SITE}/trainer/trainer.py", line 561, in fit`,
  '    call._call_and_handle_interrupt(',
  `  File "${SITE}/trainer/call.py", line 47, in _call_and_handle_interrupt`,
  '    return trainer.strategy.launcher.launch(trainer_fn, *args, trainer=trainer, **kwargs)',
  '           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^',
  `  File "${SITE}/trainer/trainer.py", line 599, in _fit_impl`,
  '    self._run(model, ckpt_path=ckpt_path)',
  `  File "${SITE}/trainer/trainer.py", line 1012, in _run`,
  '    results = self._run_stage()',
  '              ^^^^^^^^^^^^^^^^^',
  `  File "${SITE}/loops/fit_loop.py", line 455, in advance`,
  '    self.epoch_loop.run(self._data_fetcher)',
  `  File "${SITE}/loops/training_epoch_loop.py", line 322, in advance`,
  '    batch_output = self.automatic_optimization.run(trainer.optimizers[0], batch_idx, kwargs)',
  '                   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^',
];
