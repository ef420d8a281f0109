import type { CollectiveFingerprint } from '../../../model/events.ts';
import { defineSignature, num } from './define.ts';

const SIDE = /Rank (\d{1,7}) is running (?:inconsistent )?collective: CollectiveFingerPrint\(/g;

function readSide(rank: number, text: string): CollectiveFingerprint {
  const dtypes = /TensorDtypes=([^,)]{1,200})/.exec(text)?.[1];
  return {
    rank,
    seq: num(/SequenceNumber=(\d{1,15})/.exec(text)?.[1]),
    op: /OpType=([A-Z_]{1,60})/.exec(text)?.[1] ?? 'UNKNOWN',
    shape: /TensorShape=(\[[^\]]{0,400}\](?:, ?\[[^\]]{0,400}\]){0,20})/.exec(text)?.[1],
    dtypes,
  };
}

/**
 * TORCH_DISTRIBUTED_DEBUG=DETAIL: the wrapper compares fingerprints before each call. `a` is always the printing rank,
 * `b` the first rank that disagrees with it, so every rank prints its own pair. 1.10 to 1.12 name no second rank.
 */
export default defineSignature({
  id: 'collective-mismatch',
  literals: ['running collective: CollectiveFingerPrint(', 'running inconsistent collective: CollectiveFingerPrint('],
  match({ text }) {
    const sides: { rank: number; at: number; end: number }[] = [];
    for (const match of text.matchAll(SIDE)) {
      sides.push({ rank: Number(match[1]), at: match.index + match[0].length, end: text.length });
      if (sides.length === 2) break;
    }
    const [first, second] = sides;
    if (first === undefined) return undefined;
    const a = readSide(first.rank, text.slice(first.at, second?.at));
    const tail = second && text.slice(second.at).split('Collectives differ in')[0];
    const b = second && readSide(second.rank, tail ?? '');
    return { body: { kind: 'collective-mismatch', a, b }, printer: { rank: a.rank, basis: 'work-prefix' } };
  },
  samples: [
    {
      text: 'Detected mismatch between collectives on ranks. Rank 1 is running collective: CollectiveFingerPrint(SequenceNumber=8, OpType=ALLGATHER, TensorShape=[4, 10], TensorDtypes=Float, TensorDeviceTypes=TensorOptions(dtype=float (default), device=cpu)), but Rank 5 is running collective: CollectiveFingerPrint(SequenceNumber=8, OpType=ALLGATHER, TensorShape=[5, 10], TensorDtypes=Float, TensorDeviceTypes=TensorOptions(dtype=float (default), device=cpu)).Collectives differ in the following aspects: \t Tensor Tensor shapes: 4, 10vs 5, 10',
      expect: {
        kind: 'collective-mismatch',
        a: { rank: 1, seq: 8, op: 'ALLGATHER', shape: '[4, 10]', dtypes: 'Float' },
        b: { rank: 5, seq: 8, op: 'ALLGATHER', shape: '[5, 10]', dtypes: 'Float' },
      },
      printer: { rank: 1, basis: 'work-prefix' },
    },
    {
      text: 'Detected mismatch between collectives on ranks. Rank 0 is running collective: CollectiveFingerPrint(SequenceNumber=14OpType=BARRIER), but Rank 1 is running collective: CollectiveFingerPrint(SequenceNumber=14, OpType=ALLREDUCE, TensorShape=[25], TensorDtypes=Float)',
      expect: {
        kind: 'collective-mismatch',
        a: { rank: 0, seq: 14, op: 'BARRIER', shape: undefined, dtypes: undefined },
        b: { rank: 1, seq: 14, op: 'ALLREDUCE', shape: '[25]', dtypes: 'Float' },
      },
      printer: { rank: 0, basis: 'work-prefix' },
    },
    {
      text: 'Detected mismatch between collectives on ranks. Rank 2 is running inconsistent collective: CollectiveFingerPrint(OpType=ALLREDUCE, TensorShape=[1])',
      expect: {
        kind: 'collective-mismatch',
        a: { rank: 2, seq: undefined, op: 'ALLREDUCE', shape: '[1]', dtypes: undefined },
        b: undefined,
      },
      printer: { rank: 2, basis: 'work-prefix' },
    },
  ],
  nearMisses: ['a rank is running collective: CollectiveFingerPrint(OpType=X)'],
});
