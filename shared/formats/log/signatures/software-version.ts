import type { EventBody } from '../../../model/events.ts';
import { defineSignature } from './define.ts';

const NOTHING = { torch: undefined, nccl: undefined, cuda: undefined, driver: undefined };
const NCCL = /NCCL version (\d{1,2}\.\d{1,3}\.\d{1,3})(?:\+cuda(\d{1,2}\.\d{1,2}))?/;

/** NCCL's version where an error quotes it: `…, NCCL version 2.28.9`. */
export function softwareFromError(error: string): readonly EventBody[] {
  const match = NCCL.exec(error);
  return match === null ? [] : [{ kind: 'software', ...NOTHING, nccl: match[1], cuda: match[2] }];
}

/** `torch 2.13.0+cpu`, as a word of its own. */
export function torchVersion(text: string): string | undefined {
  return /\b(?:[Pp]y)?[Tt]orch(?: version)?[ :=]{1,3}v?(\d\.\d{1,3}\.\d{1,3}(?:[\w+.-]{0,40}[\w+])?)/.exec(text)?.[1];
}

/** Versions in banners: NCCL's own line, RAS reports, `PyTorch version: …`, `Driver Version: …`. */
export default defineSignature({
  id: 'software-version',
  literals: [
    'NCCL version ',
    'orch version',
    'orch 2.',
    'orch: 2.',
    'orch==',
    'river version',
    'river Version',
    'CUDA Version',
    'CUDA version',
  ],
  match({ text }) {
    // A process that says which rank it is may name its versions in the same line; that shape tells both.
    if (/\b[Rr]ank \d{1,7} of \d/.test(text)) return undefined;
    const nccl =
      /^(?:[\w./+-]{1,120}:\d{1,6} )?(?:NCCL INFO )?NCCL version (\d{1,2}\.\d{1,3}\.\d{1,3})(?:\+cuda(\d{1,2}\.\d{1,2}))?(?: compiled with CUDA (\d{1,2}\.\d{1,2}))?/.exec(
        text,
      );
    const torch = torchVersion(text);
    const driver = /[Dd]river [Vv]ersion ?[:=]? ?(\d{3}\.\d{1,4}(?:\.\d{1,3})?)/.exec(text)?.[1];
    const cuda = /CUDA [Vv]ersion ?[:=] ?(\d{1,2}\.\d{1,2})/.exec(text)?.[1] ?? nccl?.[2] ?? nccl?.[3];
    if (nccl === null && torch === undefined && driver === undefined && cuda === undefined) return undefined;
    return { body: { kind: 'software', torch, nccl: nccl?.[1], cuda, driver } };
  },
  samples: [
    {
      text: 'NCCL INFO NCCL version 2.27.5+cuda12.9',
      expect: { kind: 'software', ...NOTHING, nccl: '2.27.5', cuda: '12.9' },
    },
    { text: 'PyTorch version: 2.6.0+cu124', expect: { kind: 'software', ...NOTHING, torch: '2.6.0+cu124' } },
    {
      text: '| NVIDIA-SMI 570.158.01   Driver Version: 570.158.01   CUDA Version: 12.8 |',
      expect: { kind: 'software', ...NOTHING, driver: '570.158.01', cuda: '12.8' },
    },
  ],
  nearMisses: ['needs a newer CUDA version', 'unhandled system error, NCCL version 2.28.9'],
});
