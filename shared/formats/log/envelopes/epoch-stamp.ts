import { defineEnvelope } from '../log-line.ts';

const EPOCH = /^\[?(1[4-9]\d{8}|20\d{8})(?:\.(\d{1,9})|(\d{3}))?\]?[ :|]{1,3}/;

/** Seconds (with fraction) or milliseconds since 1970 in front of a line: `1773482289.123 text`. 2014 to 2036. */
export default defineEnvelope({
  id: 'epoch-stamp',
  first: '[12',
  peel(line) {
    const match = EPOCH.exec(line.text);
    if (match === null) return false;
    const fraction = match[2] ?? match[3] ?? '';
    line.addStamp({
      seconds: Number(match[1]),
      nanos: Number(fraction.padEnd(9, '0')),
      kind: 'epoch',
      resolutionNs: 10 ** (9 - fraction.length),
      zoneAssumed: false,
      yearless: false,
    });
    line.drop(match[0].length);
    return true;
  },
  samples: [
    { text: '1773482289.123456 step 4', expect: { text: 'step 4' } },
    { text: '[1773482289123] step 4', expect: { text: 'step 4' } },
    { text: '1234567890 step 4', expect: undefined },
  ],
});
