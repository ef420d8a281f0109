import { defineRecord, defineSignature, num } from './define.ts';

const START =
  /terminate called (?:after throwing an instance of '([^']{1,200})'|without an active exception|recursively)/;

/**
 * `terminate called after throwing an instance of 'X'` and `  what():  …` below it. What the second line says is looked
 * at as well: it is often a shape of its own.
 */
export const nativeTerminate = defineRecord({
  id: 'native-terminate',
  literals: ['terminate called '],
  open(message) {
    const match = START.exec(message.text);
    if (match === null) return undefined;
    const type = match[1] ?? '';
    let what = '';
    return {
      take({ text, header }) {
        if (header !== undefined) return 'pass';
        const said = /^\s{0,8}what\(\): {0,4}(.{0,4000})/.exec(text);
        if (said === null) return 'over';
        what = (said[1] ?? '').trim();
        return 'last';
      },
      close: () => {
        const whole = what === '' ? type : `${type}: ${what}`;
        return {
          hits: [{ body: { kind: 'native-terminate', what: whole.slice(0, 600) } }],
          text: whole,
          quotes: what === '' ? [] : [what],
        };
      },
    };
  },
  samples: [
    {
      lines: [
        "terminate called after throwing an instance of 'gloo::EnforceNotMet'",
        '  what():  [enforce fail at pair.cc:456] no',
      ],
      expect: [{ kind: 'native-terminate', what: 'gloo::EnforceNotMet: [enforce fail at pair.cc:456] no' }],
    },
    {
      lines: ["terminate called after throwing an instance of 'c10::DistBackendError'"],
      expect: [{ kind: 'native-terminate', what: 'c10::DistBackendError' }],
    },
  ],
  nearMisses: ['terminate called by the user'],
});

const CRASHES: readonly RegExp[] = [
  // Python's fault handler
  /^(Fatal Python error: .{1,200})/,
  // a shell about its child: `line 3: 4711 Segmentation fault (core dumped) python train.py`
  /(?:^|[\s:])((?:Segmentation fault|Bus error|Aborted|Illegal instruction|Floating point exception) +\(core dumped\))/,
  // UCX and absl
  /(Caught signal \d{1,3} \([^)]{1,160}\))/,
  /^\*{3} (SIG[A-Z]{2,8} (?:received at|\(@).{0,160})/,
];

/** A process died by a signal of its own making, as its fault handler or its shell tells it. */
export const nativeCrash = defineSignature({
  id: 'native-crash',
  literals: ['Fatal Python error: ', '(core dumped)', 'Caught signal ', '*** SIG'],
  match({ text }) {
    if (/^(?:srun|slurmstepd): error/.test(text)) return undefined;
    for (const crash of CRASHES) {
      const what = crash.exec(text)?.[1];
      if (what === undefined) continue;
      const pid = num(/\bline \d{1,6}: {1,6}(\d{1,8}) /.exec(text)?.[1]);
      return { body: { kind: 'native-terminate', what }, ...(pid === undefined ? {} : { printer: { pid } }) };
    }
    return undefined;
  },
  samples: [
    {
      text: 'Fatal Python error: Segmentation fault',
      expect: { kind: 'native-terminate', what: 'Fatal Python error: Segmentation fault' },
    },
    {
      text: '/entrypoint.sh: line 3:    47 Segmentation fault      (core dumped) python train.py',
      expect: { kind: 'native-terminate', what: 'Segmentation fault      (core dumped)' },
      printer: { pid: 47 },
    },
    {
      text: '[w-0:4711 :0:4711] Caught signal 11 (Segmentation fault: address not mapped to object at address 0x10)',
      expect: {
        kind: 'native-terminate',
        what: 'Caught signal 11 (Segmentation fault: address not mapped to object at address 0x10)',
      },
    },
  ],
  nearMisses: ['srun: error: gpu-node-03: task 21: Aborted (core dumped)', 'Caught signal handlers are listed below'],
});
