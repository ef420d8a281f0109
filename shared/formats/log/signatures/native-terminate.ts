import { defineRecord } from './define.ts';

const START =
  /terminate called (?:after throwing an instance of '([^']{1,200})'|without an active exception|recursively)/;

/**
 * `terminate called after throwing an instance of 'X'` and `  what():  …` below it. What the second line says is looked
 * at as well: it is often a shape of its own.
 */
export default defineRecord({
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
