import { defineSignature } from './define.ts';

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

/** `nvidia-smi` and NVML about a device that no longer answers. */
export const gpuUnreachable = defineSignature({
  id: 'gpu-unreachable',
  literals: ['Unable to determine the device handle', 'GPU is lost'],
  match({ text }) {
    const handle =
      /Unable to determine the device handle for (?:GPU|gpu) ?\w{0,12}:? ?[0-9A-Fa-f:.]{4,20}: .{1,100}/.test(text);
    if (!handle && !/(?:^|error="|: )GPU is lost/.test(text)) return undefined;
    return { body: { kind: 'kernel-note', what: 'pcie', text: text.slice(0, 400), pid: undefined } };
  },
  samples: [
    {
      text: 'Unable to determine the device handle for GPU5: 0000:9D:00.0: GPU is lost.',
      expect: {
        kind: 'kernel-note',
        what: 'pcie',
        text: 'Unable to determine the device handle for GPU5: 0000:9D:00.0: GPU is lost.',
        pid: undefined,
      },
    },
    {
      text: 'Unable to determine the device handle for GPU0000:9D:00.0: Unknown Error',
      expect: {
        kind: 'kernel-note',
        what: 'pcie',
        text: 'Unable to determine the device handle for GPU0000:9D:00.0: Unknown Error',
        pid: undefined,
      },
    },
  ],
  nearMisses: ['what to do when a GPU is lost'],
});
