import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type NamedOriginal, NOT_SCANNED, Redactor, type StandIn } from '#shared/redaction/index.ts';
import { HOSTILE_SAMPLE } from './hostile-sample.ts';

const NAMES: readonly NamedOriginal[] = [
  { kind: 'host', text: 'gpu-a17' },
  { kind: 'pod', text: 'vit-large-1' },
  { kind: 'pod', text: 'vit-large-10' },
  { kind: 'pod', text: 'worker' },
];

function redactAll(texts: readonly string[], words: readonly string[] = [], known: readonly StandIn[] = []) {
  const redactor = new Redactor({ names: NAMES, words, known });
  for (const text of texts) redactor.learn(text);
  return { out: texts.map((text, i) => redactor.redact(text, 'evidence', `text ${i}`)), redactor };
}
const redacted = (text: string): string => redactAll([text]).out[0] ?? '';

describe('what is replaced', () => {
  it.each([
    ['a node', 'on gpu-a17:', 'on host-1:'],
    ['a node with its domain', 'at gpu-a17.cluster.internal', 'at host-1'],
    ['a node in other case', 'GPU-A17 is down', 'host-1 is down'],
    ['a Pod whose name begins another one', 'vit-large-10 vit-large-1', 'pod-1 pod-2'],
    ['a Pod in a file name', 'logs/vit-large-1_0.log', 'logs/pod-1_0.log'],
    [
      'a node split by what cannot be seen',
      'gpu\u200b-a17 \u001b[31mgpu\u001b[0m-a17 gpu\u0001-a17',
      'host-1 host-1 host-1',
    ],
    ['a user by the home folder, then alone', '/home/alice/run/train.py said alice', 'path-1/train.py said user-1'],
    ['a mount, not the name of the file', '/mnt/acme/ckpt/step.pt:3', 'path-1/step.pt:3'],
    ['the file of a root folder keeps its name', '/workspace/train.py:12', 'path-1/train.py:12'],
    ['a namespace, then alone', 'namespace: team-x, in team-x', 'namespace: namespace-1, in namespace-1'],
    [
      'a namespace of an event',
      'Marking for deletion Pod ml/vit-large-1',
      'Marking for deletion Pod namespace-1/pod-1',
    ],
    ['a namespace of kubectl', 'kubectl logs -n team-x p', 'kubectl logs -n namespace-1 p'],
    [
      'names of kubelet paths',
      '/var/log/pods/team-x_job-z-0_1a2b3c4d-1111-2222-3333-444455556666/c/0.log',
      '/var/log/pods/namespace-1_pod-1_id-1/c/0.log',
    ],
    ['IPv4 and IPv6', '10.42.7.19 fe80::1ff:fe23:4567:890a%eth0', 'ip-1 ip-2'],
    ['a mapped address', '[::ffff:10.42.7.19]:29500', '[ip-1]:29500'],
    ['a MAC address', '02:42:ac:11:00:02', 'mac-1'],
    ['an e-mail address', 'bob.b@acme.com', 'email-1'],
    ['an AWS key', 'AKIAIOSFODNN7EXAMPLE', 'secret-1'],
    ['an assigned secret', 'AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG', 'AWS_SECRET_ACCESS_KEY=secret-1'],
    ['a bearer token', 'Authorization: Bearer abcDEF123456789', 'Authorization: Bearer secret-1'],
    ['a GitHub token', 'ghp_abcdefghijklmnopqrstuvwxyz0123456789', 'secret-1'],
    ['a JWT', 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl', 'secret-1'],
    ['hexadecimal keys', 'key 0123456789abcdef0123456789abcdef01234567', 'key secret-1'],
    ['random base64', 'x Zm9vYmFyQmF6UXV4MTIzNDU2Nzg5MEFCQ0RFRg==', 'x secret-1'],
    ['a URL', 'see https://wandb.ai/acme/run?x=1', 'see url-1'],
    ['a bucket', 's3://acme-ckpt/run-1', 'bucket-1'],
    ['an image', 'registry.acme.io:5000/team/img:v1', 'image-1'],
    ['the host of a rendezvous, not its port', 'tcp://head-0.svc:29500', 'tcp://host-1:29500'],
    ['the host of a socket', 'connect to (node-b3, 29500)', 'connect to (host-1, 29500)'],
    ['the host of an NCCL line', 'node-b3:12:99 [3] NCCL INFO x', 'host-1:12:99 [3] NCCL INFO x'],
    ['a GPU', 'GPU-1a2b3c4d-1111-2222-3333-444455556666', 'device-1'],
    ['a serial number', 'Serial Number: 1654321000123', 'Serial Number: device-1'],
  ])('%s', (_name, text, expected) => {
    expect(redacted(text)).toBe(expected);
  });

  it.each([
    '2026-02-18T10:28:25.497123Z',
    'Rank 37 exited 137 (SIGKILL), local rank 5 of 8, ranks 0–36, 38–87',
    'allreduce #4812, [524288] bf16, default_pg, seq 4811',
    'ProcessGroupNCCL.cpp:1234 c10::Error c10d::TCPStore train.py:412',
    'NCCL version 2.21.5+cuda12.4, driver 535.104.05, Python 3.11.4',
    '0000:1b:00.0 127.0.0.1 0.0.0.0 ::1 nvidia.com/gpu',
    '/usr/lib/python3/dist-packages/torch/cuda.py /dev/shm /proc/1/fd',
    'nvcr.io/nvidia/pytorch:24.05 https://pytorch.org/docs',
    'Xid 79, GPU has fallen off the bus; token: missing',
    'worker saving took 12.5 s (9.1 GiB)',
    'max_tokens=2048 pad_token_id: 0 tokens: 4096, token: 32000, 1.2e6 tokens/s',
    'token = self.tokenizer.decode(ids)  # api_key=os.environ["X"] password: str',
    'disk-pressure-eviction-manager-of-node Basic authentication required',
    '[::ffff:127.0.0.1]:29500 refused; cuDNN version 8.9.2.26, nvidia-cudnn-cu12==9.1.0.70',
    'Tolerations: node.kubernetes.io/not-ready:NoExecute nvidia.com/gpu:NoSchedule',
    'image: nvcr.io/nvidia/pytorch:24.05-py3 image: pytorch/pytorch:2.4.0 image 3/10',
    'containerd://abc, unix:///run/containerd/containerd.sock, self.it, logging.info(x)',
    'claimName: YOUR-PERSISTENT-VOLUME-CLAIM, kubectl logs -n NAMESPACE POD --namespace NAMESPACE',
    'node 3 of 4, could not resolve all tensors, secret=*** password: ***HIDDEN***',
    'c10d::ProcessGroup std::bad_alloc at::native 10:28:25 face::dead',
    '/var/log/pods N/A /s 12/34 (2/8) and/or',
  ])('nothing of: %s', (text) => {
    expect(redacted(text)).toBe(text);
  });

  it('words that every report has stay and are told, unless the analyst asks', () => {
    expect(redactAll(['worker saving']).redactor.kept).toContain('worker');
    expect(redactAll(['worker saving'], ['worker']).out).toEqual(['word-1 saving']);
  });

  it('what is learned late is replaced in earlier texts', () => {
    expect(redactAll(['carol waits', 'user=carol']).out).toEqual(['user-1 waits', 'user=user-1']);
  });
});

describe('a hostile sample of logs, YAML, JSON and command lines', () => {
  it.each(HOSTILE_SAMPLE.map((sample) => [sample.name, sample] as const))(
    '%s',
    (_name, { text, leaks, stays = '' }) => {
      const { out, redactor } = redactAll([text]);
      const left = leaks.filter((part) => (out[0] ?? '').toLowerCase().includes(part.toLowerCase()));
      expect(left, out[0]).toEqual([]);
      expect(out[0]).toContain(stays);
      expect(redactor.survives(out[0] ?? ''), out[0]).toBe(false);
    },
  );
});

describe('stand-ins', () => {
  it('are the same for the same original, over reports', () => {
    const first = redactAll(['10.0.0.1 10.0.0.2 gpu-a17']);
    const again = redactAll(['10.0.0.3 10.0.0.2 GPU-A17'], [], first.redactor.table());
    expect(again.out).toEqual(['ip-3 ip-2 host-1']);
  });

  it('are never the name of something real', () => {
    const redactor = new Redactor({ names: [{ kind: 'pod', text: 'host-1' }, ...NAMES], words: [], known: [] });
    expect(redactor.redact('gpu-a17 host-1', 'evidence')).toBe('host-2 pod-1');
  });

  it('are counted by kind, with the most frequent one as the sample', () => {
    const { redactor } = redactAll(['10.0.0.1 10.0.0.2 10.0.0.2']);
    expect(redactor.summary()).toEqual([{ kind: 'ip', places: 3, originals: 2, sample: '10.0.0.2', standIn: 'ip-2' }]);
  });
});

describe('a text that cannot be scanned', () => {
  it.each([
    ['bytes that are not text', 'ERROR \ufffd\ufffd x', 'not-text'],
    ['binary', 'a\u0000b', 'not-text'],
    ['too much of it', 'x'.repeat(1024 * 1024 + 1), 'too-long'],
  ] as const)('is told and left out: %s', (_name, text, why) => {
    const { out, redactor } = redactAll([text]);
    expect(out).toEqual([NOT_SCANNED]);
    expect(redactor.unscanned).toEqual([{ section: 'evidence', where: 'text 0', why }]);
  });

  it('costs little, however it is built', () => {
    for (const part of [
      'a.',
      '/a',
      'a@',
      ':',
      '-a',
      '0:',
      'http://',
      'token=',
      '1.',
      '::',
      'a-',
      '"/',
      'name: token\nvalue',
      'password=,',
      '\\\\a\\b',
      'cookie=a',
      '-u ',
      '-----BEGIN PRIVATE KEY-----',
      'nfs a ',
      'machine a login a ',
      '--token ',
      'C:\\a',
      'image: a/',
      'eth0:',
      'ABCDEFGH:',
      '1:',
      'user=',
      '\\"',
      'node a1-',
    ]) {
      const started = performance.now();
      redacted(part.repeat(30_000));
      expect(performance.now() - started, part).toBeLessThan(4000);
    }
  });
});

const word = fc.stringMatching(/^[a-z]{3,7}$/);
const number = fc.integer({ min: 1, max: 99 });
const original = fc.oneof(
  fc.tuple(word, number).map(([a, n]): NamedOriginal => ({ kind: 'host', text: `${a}-node-${n}q` })),
  fc.tuple(word, number).map(([a, n]): NamedOriginal => ({ kind: 'pod', text: `${a}-run-${n}z` })),
  fc
    .ipV4()
    .filter((ip) => !/^(?:127\.|0\.0\.0\.0|255\.255\.255\.255)/.test(ip))
    .map((text): NamedOriginal => ({ kind: 'ip', text })),
  fc.uuid().map((text): NamedOriginal => ({ kind: 'uuid', text })),
  fc.tuple(word, word).map(([a, b]): NamedOriginal => ({ kind: 'path', text: `/mnt/${a}x/${b}q` })),
  fc.tuple(word, word).map(([a, b]): NamedOriginal => ({ kind: 'email', text: `${a}@${b}.example` })),
);
const glue = fc.constantFrom(' ', ', ', ' on ', ' (', ') ', '\n', ' "', '" ', ' → ', ' #12 ');

describe('over any texts', () => {
  it('no original is left, a stand-in tells one from another, and a second look finds nothing', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(glue, original), { minLength: 1, maxLength: 12 }), (parts) => {
        const names = parts.map(([, one]) => one).filter(({ kind }) => kind === 'host' || kind === 'pod');
        const text = parts.map(([between, one]) => between + one.text + (one.kind === 'path' ? '/a.py' : '')).join(' ');
        const redactor = new Redactor({ names, words: [], known: [] });
        redactor.learn(text);
        const out = redactor.redact(text, 'evidence');
        for (const [, one] of parts) expect(out.toLowerCase()).not.toContain(one.text.toLowerCase());
        expect(redactor.survives(out)).toBe(false);
        const table = redactor.table();
        expect(new Set(table.map(({ standIn }) => standIn)).size).toBe(table.length);
        expect(redactor.redact(text, 'evidence')).toBe(out);
      }),
      { numRuns: 300 },
    );
  });
});
