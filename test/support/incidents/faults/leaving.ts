/** A rank leaves while the others train: it is done too early, it ends its process without a word, or it writes down why and ends. */
import { MS } from '../clock.ts';
import type { Action } from '../loop.ts';
import type { Fault } from '../spec.ts';
import {
  editPhase,
  type FaultContext,
  type FaultPlan,
  launcherTells,
  onlyOneWithoutDump,
  ownOutputTells,
  planTruth,
  provenBy,
} from './plan.ts';

type Of<K extends Fault['kind']> = Extract<Fault, { kind: K }>;

const pause = (context: FaultContext): Action => ({
  do: 'compute',
  ns: Math.round(context.random.between(1, 8) * MS),
});

/**
 * The rank had fewer batches: it says that it finished and ends with success.
 *
 * Proof: its own line that it finished, while others are shown that still waited. Without that line an early end with success cannot
 * be told from a process that simply lived on unseen; that it did not wait may still show by its recorder alone being absent.
 */
export const planEarlyFinish = (context: FaultContext, fault: Of<'early-finish'>): FaultPlan => ({
  programs: editPhase(context, { ...fault, phase: 'data' }, () => [
    pause(context),
    { do: 'log', text: `finished after ${fault.step} steps`, level: 'INFO' },
  ]),
  truth: planTruth(fault, context.topology, {
    stages: ['mismatched-collective', 'exited-rank'],
    causes: ['uneven-inputs', 'collective-skipped', 'python-exception'],
    proof: provenBy(
      (bundle) =>
        (bundle.saysFinished(fault.rank) && bundle.ranks.every((rank) => bundle.heard(rank) || bundle.dumped(rank))) ||
        onlyOneWithoutDump(fault.rank, bundle),
    ),
  }),
});

/**
 * `sys.exit(code)` in mid-loop, nothing printed.
 *
 * Proof: the launcher of its node tells the code, or with code 0 lists all its failed children and this one is not among them; and every
 * other rank is heard, or its recorder shows the call in which it waited when this one was gone: so that no other can have been first. With
 * neither log nor recorder of some rank, the one that ended first may be that one; a code other than 0 alone does not tell, for programs
 * end themselves so when they lose a peer.
 */
export const planSilentExit = (context: FaultContext, fault: Of<'silent-exit'>): FaultPlan => ({
  programs: editPhase(context, { ...fault, phase: 'data' }, () => [pause(context), { do: 'leave', code: fault.code }]),
  truth: planTruth(fault, context.topology, {
    stages: ['exited-rank', 'mismatched-collective'],
    causes: ['python-exception', 'uneven-inputs', 'configuration', 'killed'],
    proof: (bundle) => {
      const ended = launcherTells(fault.rank)(bundle);
      if (ended !== 'answer') return ended;
      return bundle.ranks.every((rank) => bundle.heard(rank) || bundle.dumped(rank)) ? 'answer' : 'nothing';
    },
  }),
});

/**
 * `except Exception: log.exception(...); sys.exit(1)`: the traceback is printed by logging, so torch's mark is not in front of it.
 *
 * Proof: its own output, which holds the exception as its last words, beside the launcher's word that it ended with an error; both are
 * in the log of its Pod.
 */
export const planLoggedExit = (context: FaultContext, fault: Of<'logged-exit'>): FaultPlan => ({
  programs: editPhase(context, { ...fault, phase: 'forward' }, () => [
    pause(context),
    { do: 'log', text: LOGGED, level: 'ERROR' },
    { do: 'leave', code: 1 },
  ]),
  truth: planTruth(fault, context.topology, {
    stages: ['exited-rank'],
    causes: ['python-exception'],
    proof: ownOutputTells(fault.rank),
  }),
});

const LOGGED = [
  'training failed',
  'Traceback (most recent call last):',
  '  File "/workspace/train.py", line 190, in main',
  '    train()',
  '  File "/workspace/train.py", line 223, in train',
  '    weight = self.class_weights[label]',
  '             ~~~~~~~~~~~~~~~~~~^^^^^^^',
  "KeyError: 'class_17'",
].join('\n');
