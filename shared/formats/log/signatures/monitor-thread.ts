import type { EventBody } from '../../../model/events.ts';
import { defineSignature, num } from './define.ts';
import { printerOf, readGroup } from './group-mention.ts';

/**
 * The monitor found that the watchdog thread could not run: a CUDA or NCCL call blocks it, or the interpreter lock is
 * held. Also printed while a process goes down.
 */
export const heartbeatStuck = defineSignature({
  id: 'heartbeat-stuck',
  literals: ['Heartbeat monitor timed out!', 'watchdog got stuck for'],
  match({ text }) {
    const stuck = /watchdog got stuck for (\d{1,7}) ?s/.exec(text);
    if (stuck === null && !text.includes('Heartbeat monitor timed out!')) return undefined;
    return { body: { kind: 'heartbeat-stuck', seconds: num(stuck?.[1]) }, printer: printerOf(text, readGroup(text)) };
  },
  samples: [
    {
      text: "[PG ID 0 PG GUID 0(default_pg) Rank 4] ProcessGroupNCCL's watchdog got stuck for 480 seconds without making progress in monitoring enqueued collectives.",
      expect: { kind: 'heartbeat-stuck', seconds: 480 },
      printer: { rank: 4, basis: 'default-pg' },
    },
    {
      text: '[PG 0 Rank 0] Heartbeat monitor timed out! Process will be terminated after dumping debug info. workMetaList_.size()=2',
      expect: { kind: 'heartbeat-stuck', seconds: undefined },
      printer: { rank: 0, basis: 'default-pg' },
    },
  ],
  nearMisses: ['our watchdog got stuck for a while'],
});

/** `Could not acquire GIL within 300 ms on exit, possible GIL induced hang`. */
export const gilSuspected = defineSignature({
  id: 'gil-suspected',
  literals: ['Could not acquire GIL within'],
  match: ({ text }) =>
    /Could not acquire GIL within \d/.test(text)
      ? { body: { kind: 'gil-suspected' }, printer: printerOf(text, readGroup(text)) }
      : undefined,
  samples: [
    {
      text: '[PG ID 0 PG GUID 0(default_pg) Rank 4] Could not acquire GIL within 300 ms on exit, possible GIL induced hang',
      expect: { kind: 'gil-suspected' },
      printer: { rank: 4, basis: 'default-pg' },
    },
  ],
  nearMisses: ['Could not acquire GIL within the deadline'],
});

const LAST_WORK = /Last enqueued NCCL work: (-?\d{1,15}), last completed NCCL work: (-?\d{1,15})/;

/**
 * A rank was told to write its Flight Recorder dump. The rank that told it noticed first; it is an observer. From 2.6
 * the line also says how far this rank's group had come.
 */
export const dumpSignal = defineSignature({
  id: 'dump-signal',
  literals: [
    'Received a dump signal',
    'Received a global dump signal',
    'Observed flight recorder dump signal',
    'Dump signal received through pipe',
    'remote error detected from rank: ',
  ],
  match({ text }) {
    const from = /(?:from {1,2}rank:? |global dump signal from rank )(\d{1,7})/.exec(text)?.[1];
    const local = /from this local rank|through pipe/.test(text);
    const known =
      /^(?:\[[^\]]{1,300}\] ?)?(?:Received a (?:global )?dump signal|Observed flight recorder dump signal|Dump signal received through pipe| ?remote error detected from rank: \d)/;
    if (!known.test(text)) return undefined;
    const group = readGroup(text);
    const body: EventBody = { kind: 'dump-signal', from: num(from), global: !local };
    const status = LAST_WORK.exec(text);
    const also: EventBody[] = [];
    if (status !== null) {
      also.push({
        kind: 'work-status',
        work: undefined,
        lastEnqueued: Number(status[1]),
        lastCompleted: Number(status[2]),
        group,
      });
    }
    return { body, also, printer: printerOf(text, group) };
  },
  samples: [
    {
      text: '[PG ID 0 PG GUID 0(default_pg) Rank 3] Received a dump signal due to a collective timeout from  rank 5 and we will try our best to dump the debug info. Last enqueued NCCL work: 12, last completed NCCL work: 11.This is most likely caused by incorrect usages of collectives',
      expect: [
        { kind: 'dump-signal', from: 5, global: true },
        {
          kind: 'work-status',
          work: undefined,
          lastEnqueued: 12,
          lastCompleted: 11,
          group: { id: '0', guid: '0', desc: 'default_pg', rank: 3 },
        },
      ],
      printer: { rank: 3, basis: 'default-pg' },
    },
    {
      text: '[PG 0 Rank 3] Received a dump signal from this local rank and will start to dump the debug info.',
      expect: { kind: 'dump-signal', from: undefined, global: false },
      printer: { rank: 3, basis: 'default-pg' },
    },
    {
      text: '[PG 0 Rank 3] Received a global dump signal from rank 7, and will start to dump',
      expect: { kind: 'dump-signal', from: 7, global: true },
      printer: { rank: 3, basis: 'default-pg' },
    },
    {
      text: 'Observed flight recorder dump signal from another rank via TCPStore.',
      expect: { kind: 'dump-signal', from: undefined, global: true },
      printer: {},
    },
    {
      text: 'Dump signal received through pipe, triggering FR dump.',
      expect: { kind: 'dump-signal', from: undefined, global: false },
      printer: {},
    },
  ],
  nearMisses: ['handler for: Received a dump signal'],
});

/** A dump was written: c10d says so, or the program that asked for it. */
export const dumpWritten = defineSignature({
  id: 'dump-written',
  literals: [
    'Finished flight recorder successfully',
    'Finished writing PGNCCL debug info',
    'flight recorder written',
    'Flight Recorder debug info',
    'flight recorder dump written',
  ],
  match({ text }) {
    if (
      /Finished flight recorder successfully|Finished writing PGNCCL debug info|Finished writing (?:Flight Recorder|FlightRecorder) debug info/.test(
        text,
      )
    ) {
      return { body: { kind: 'dump-written', reason: '' }, printer: printerOf(text, readGroup(text)) };
    }
    const own = /flight recorder (?:dump )?written(?: \(([^)]{0,200})\))?/i.exec(text);
    return own === null ? undefined : { body: { kind: 'dump-written', reason: own[1] ?? '' } };
  },
  samples: [
    {
      text: 'WARNING:train:flight recorder written (no step for 8 s)',
      expect: { kind: 'dump-written', reason: 'no step for 8 s' },
    },
    {
      text: 'Finished flight recorder successfully. Output can be analyzed using the fr_trace script.',
      expect: { kind: 'dump-written', reason: '' },
      printer: {},
    },
  ],
  nearMisses: ['Writing Flight Recorder debug info failed'],
});
