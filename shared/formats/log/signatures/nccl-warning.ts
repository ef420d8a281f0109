import type { EventBody } from '../../../model/events.ts';
import { defineSignature, num } from './define.ts';

type WarningClass = Extract<EventBody, { kind: 'nccl-warning' }>['class'];

interface Reading {
  readonly class: WarningClass;
  readonly peer?: string | undefined;
  readonly status?: number | undefined;
  readonly device?: string | undefined;
  readonly ranks?: readonly number[];
}

const ADDRESS = '([\\w.:%\\[\\]-]{2,120}<\\d{1,5}>|\\d{1,3}(?:\\.\\d{1,3}){3})';
const DUPLICATE = /Duplicate GPU detected ?: rank (\d{1,7}) and rank (\d{1,7}) both on CUDA device (\w{1,20})/;
const COMPLETION = new RegExp(
  `Got completion from peer ${ADDRESS}.{0,40}?(?:error|status=)\\s?(?:[A-Z_]{3,60}\\()?(\\d{1,4})`,
);
const COMPLETION_WITHOUT_PEER = /Got completion with error (\d{1,4})/;
const HCA = /\bhca (\w{1,40})/;

function classify(text: string, source: string): Reading {
  const duplicate = DUPLICATE.exec(text);
  if (duplicate !== null) {
    return { class: 'duplicate-gpu', device: duplicate[3], ranks: [Number(duplicate[1]), Number(duplicate[2])] };
  }
  if (text.includes('Got completion')) {
    const completion = COMPLETION.exec(text);
    const status = num(completion?.[2] ?? COMPLETION_WITHOUT_PEER.exec(text)?.[1]);
    return { class: 'ib-completion', peer: completion?.[1], status, device: HCA.exec(text)?.[1] };
  }
  if (/Got (?:non-fatal )?async (?:error )?event|async fatal event|GID table changed/.test(text)) {
    return { class: 'ib-event', device: /NET\/IB ?: ([\w.:]{1,60}?)(?::\d{1,3})? (?:Got|async|GID)/.exec(text)?.[1] };
  }
  // Messages of the set-up are no collectives: what is out of place there is NCCL's own exchange.
  if (source.startsWith('bootstrap.') && text.includes('essage truncated')) return { class: 'other' };
  if (/collective mismatch error|[Mm]essage truncated/.test(text))
    return { class: 'size-mismatch', peer: peerOf(text) };
  if (/Mismatched collective detected|may be caused by a collective mismatch/.test(text)) {
    const around = num(/around rank (\d{1,7})/.exec(text)?.[1]);
    return { class: 'collective-mismatch-hint', ranks: around === undefined ? [] : [around] };
  }
  if (/posix_fallocate|shared memory segment|\/dev\/shm/.test(text)) return { class: 'shared-memory' };
  if (
    /Connection closed by remote peer|Connection reset by peer|Broken pipe|recv failed while polling|remote peer .{0,60}closed/.test(
      text,
    )
  ) {
    return { class: 'peer-closed', peer: peerOf(text) };
  }
  if (
    /[Cc]onnect to .{0,160}(?:failed|returned|exceeded)|socketPollConnect|exceeded (?:error )?(?:timeouts|retries|retry count)|Connection refused|No route to host/.test(
      text,
    )
  ) {
    return { class: 'connect-failed', peer: peerOf(text) };
  }
  if (/Bootstrap Root|mismatch in rank count|valid magic|[Bb]ootstrap/.test(text)) return { class: 'bootstrap' };
  if (/Cuda failure|CUDA calloc|Cuda (?:Host )?(?:alloc|error)/i.test(text)) return { class: 'cuda' };
  return { class: 'other' };
}

/** `src:line ` may be missing; a colon stands there since 2.4. */
const WARNING = /^(?:([\w./+-]{1,120})[: ]\d{1,6} (?:\([\w:]{1,80}\) )?)?NCCL WARN (.{1,2000})/;

const PEER = new RegExp(`(?:remote peer|peer|[Cc]onnect to|recv from|send to) ${ADDRESS}`);
const peerOf = (text: string): string | undefined => PEER.exec(text)?.[1];

/**
 * `[src:line ]NCCL WARN text`, by cause. Completion status 12: peer or path dead; 5: flushed, always after another
 * error. `Cuda failure` is of this process. A closed connection names the peer that ended: the lead, not the culprit.
 */
export default defineSignature({
  id: 'nccl-warning',
  literals: ['NCCL WARN ', 'Duplicate GPU detected'],
  match({ text, host, pid }) {
    const warning = WARNING.exec(text);
    const said = warning?.[2] ?? (DUPLICATE.test(text) ? text : undefined);
    if (said === undefined) return undefined;
    const reading = classify(said, warning?.[1] ?? '');
    return {
      body: {
        kind: 'nccl-warning',
        class: reading.class,
        text: said.slice(0, 400),
        peer: reading.peer,
        status: reading.status,
        device: reading.device,
        host,
        pid,
        ranks: reading.ranks ?? [],
      },
    };
  },
  samples: (
    [
      [
        'misc/socket.cc:50 NCCL WARN socketProgress: Connection closed by remote peer node-c.internal<55912>',
        { class: 'peer-closed', peer: 'node-c.internal<55912>' },
      ],
      [
        'transport/net_ib.cc:2458 NCCL WARN NET/IB: Got completion from peer 10.20.232.172<39936> with status=12 opcode=129 len=0 vendor err 129 (Recv) hca mlx5_15',
        { class: 'ib-completion', peer: '10.20.232.172<39936>', status: 12, device: 'mlx5_15' },
      ],
      [
        'transport/net_ib.cc:74 NCCL WARN NET/IB : Got completion from peer 10.1.1.1<3333> with error 12, opcode 0, len 0, vendor err 129',
        { class: 'ib-completion', peer: '10.1.1.1<3333>', status: 12 },
      ],
      [
        'NCCL WARN NET/IB : Got completion from peer 10.1.1.1<3333> with status=IBV_WC_RETRY_EXC_ERR(12) opcode=IBV_WC_SEND(0) vendor_err=129',
        { class: 'ib-completion', peer: '10.1.1.1<3333>', status: 12 },
      ],
      [
        'NCCL WARN NET/IB : mlx5_2:1 Got non-fatal async event: port error(10)',
        { class: 'ib-event', device: 'mlx5_2' },
      ],
      ['NCCL WARN NET/IB : mlx5_0:1 Got async event : port error', { class: 'ib-event', device: 'mlx5_0' }],
      [
        'include/shm.h:28 NCCL WARN Call to posix_fallocate failed : No space left on device',
        { class: 'shared-memory' },
      ],
      ["NCCL WARN Cuda failure 999 'unknown error'", { class: 'cuda' }],
      [
        'init.cc:900 NCCL WARN Duplicate GPU detected : rank 1 and rank 0 both on CUDA device 1b000',
        { class: 'duplicate-gpu', device: '1b000', ranks: [1, 0] },
      ],
      [
        'NCCL WARN NET/Socket : peer 10.1.1.1<5000> message truncated : receiving 64 bytes instead of 32',
        { class: 'size-mismatch', peer: '10.1.1.1<5000>' },
      ],
      [
        'NCCL WARN socketStartConnect: Connect to 10.1.1.2<41000> failed : Connection refused',
        { class: 'connect-failed', peer: '10.1.1.2<41000>' },
      ],
      ['NCCL WARN Bootstrap Root : rank 3 of 8 ranks has already checked in', { class: 'bootstrap' }],
      [
        'NCCL WARN Your program may be hanging, this may be caused by a collective mismatch around rank 3.',
        { class: 'collective-mismatch-hint', ranks: [3] },
      ],
      ['NCCL WARN Call to ibv_modify_qp failed', { class: 'other' }],
      ['include/socket.h 398 NCCL WARN Call to write failed : Connection reset by peer.', { class: 'peer-closed' }],
      [
        'transport/net_ib.cc:1038 NCCL WARN NET/IB : req 0/1 tag 0 peer 10.1.1.1<5000> collective mismatch error, local size 4096 remote size 512',
        { class: 'size-mismatch', peer: '10.1.1.1<5000>' },
      ],
      ['bootstrap.cc:77 NCCL WARN Message truncated : received 64 bytes instead of 4', { class: 'other' }],
      [
        'transport/net_ib.cc:1295 NCCL WARN NET/IB : Got completion from peer fe80::1234:5678%ib0<5000> with error 4, opcode 32564, len 32564, vendor err 81 (Send)',
        { class: 'ib-completion', peer: 'fe80::1234:5678%ib0<5000>', status: 4 },
      ],
    ] satisfies readonly (readonly [string, Reading])[]
  ).map(([line, reading]: readonly [string, Reading]) => ({
    text: line,
    expect: {
      kind: 'nccl-warning' as const,
      class: reading.class,
      text: line.slice(line.indexOf('NCCL WARN ') + 10),
      peer: reading.peer,
      status: reading.status,
      device: reading.device,
      host: undefined,
      pid: undefined,
      ranks: reading.ranks ?? [],
    },
  })),
  nearMisses: ['set NCCL_DEBUG=WARN to see NCCL WARN lines'],
});
