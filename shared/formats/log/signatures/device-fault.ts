import { defineSignature, num } from './define.ts';

const ASSERT =
  /: block: \[\d{1,10},\d{1,10},\d{1,10}\], thread: \[\d{1,10},\d{1,10},\d{1,10}\] Assertion `(.{1,400}?)` failed/;

/** A kernel's assertion: `file.cu:93: operator(): block: […], thread: […] Assertion \`expr\` failed.`, one line per thread. */
export const deviceAssert = defineSignature({
  id: 'device-assert',
  literals: [', thread: ['],
  match({ text }) {
    const expression = ASSERT.exec(text)?.[1];
    return expression === undefined ? undefined : { body: { kind: 'device-assert', expression } };
  },
  samples: [
    {
      text: '/pytorch/aten/src/ATen/native/cuda/IndexKernel.cu:93: operator(): block: [14322,0,0], thread: [123,0,0] Assertion `-sizes[i] <= index && index < sizes[i] && "index out of bounds"` failed.',
      expect: { kind: 'device-assert', expression: '-sizes[i] <= index && index < sizes[i] && "index out of bounds"' },
    },
  ],
  nearMisses: ['grid: [1,1,1], thread: [1,1,1] launched'],
});

const HANDLE =
  /Unable to determine the device handle for (?:GPU|gpu) ?(\d{1,3}(?=:? ))?:? ?([0-9A-Fa-f]{4,8}:[0-9A-Fa-f]{2}:[0-9A-Fa-f]{2}(?:\.\d)?)?:? .{1,100}/;

/** `00000000:9D:00.0`, `0000:9d:00` → `0000:9d:00.0`. */
export function pciAddress(text: string): string | undefined {
  const match = /^([0-9A-Fa-f]{4,8}):([0-9A-Fa-f]{2}):([0-9A-Fa-f]{2})(?:\.(\d))?$/.exec(text);
  return match === null
    ? undefined
    : `${(match[1] ?? '').slice(-4)}:${match[2]}:${match[3]}.${match[4] ?? '0'}`.toLowerCase();
}

/** `nvidia-smi` and NVML about a device that no longer answers. */
export const gpuUnreachable = defineSignature({
  id: 'gpu-unreachable',
  literals: ['Unable to determine the device handle', 'GPU is lost'],
  match({ text }) {
    const handle = HANDLE.exec(text);
    if (handle === null && !/(?:^|error="|: )GPU is lost/.test(text)) return undefined;
    const body = {
      kind: 'gpu-state',
      what: 'lost',
      pci: pciAddress(handle?.[2] ?? ''),
      index: num(handle?.[1]),
      text: text.slice(0, 400),
    } as const;
    return { body };
  },
  samples: [
    {
      text: 'Unable to determine the device handle for GPU5: 0000:9D:00.0: GPU is lost.',
      expect: {
        kind: 'gpu-state',
        what: 'lost',
        pci: '0000:9d:00.0',
        index: 5,
        text: 'Unable to determine the device handle for GPU5: 0000:9D:00.0: GPU is lost.',
      },
    },
    {
      text: 'Unable to determine the device handle for GPU0000:9D:00.0: Unknown Error',
      expect: {
        kind: 'gpu-state',
        what: 'lost',
        pci: '0000:9d:00.0',
        index: undefined,
        text: 'Unable to determine the device handle for GPU0000:9D:00.0: Unknown Error',
      },
    },
    {
      text: 'Unable to determine the device handle for gpu 0000:9D:00.0: Unknown Error',
      expect: {
        kind: 'gpu-state',
        what: 'lost',
        pci: '0000:9d:00.0',
        index: undefined,
        text: 'Unable to determine the device handle for gpu 0000:9D:00.0: Unknown Error',
      },
    },
    {
      text: 'time=2026-03-14T10:17:38Z level=ERROR msg="no metrics" error="GPU is lost"',
      expect: {
        kind: 'gpu-state',
        what: 'lost',
        pci: undefined,
        index: undefined,
        text: 'time=2026-03-14T10:17:38Z level=ERROR msg="no metrics" error="GPU is lost"',
      },
    },
  ],
  nearMisses: ['what to do when a GPU is lost'],
});
