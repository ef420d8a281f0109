/** What collectors write about themselves as text. */
import { type CollectorRecord, type Said, said } from './define.ts';

/** `2026-03-14 10:25:04.112 +0000 UTC m=+0.210`: how Go prints a moment with its monotonic clock. */
const GO_TIME = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{1,9})? [+-]\d{4} \w{1,6} m=[+-]\d{1,10}\.\d{1,9}\s*$/m;
const TROUBLE = /\b(?:error|fatal|failed|forbidden|unauthori[sz]ed|timed out|unable to)\b/i;

function readTimes(text: string): Said {
  const times = text.split('\n', 10).flatMap((line) => {
    const match = /^(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)\S{0,10} ([+-]\d{4})/.exec(line);
    return match === null ? [] : [`${match[1]} ${match[2]}`];
  });
  return said(`collected ${[...new Set([times[0], times.at(-1)])].join(' to ')}`);
}

/** The collector's own log: only its complaints matter. */
function readOwnLog(text: string): Said {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const bad = lines.filter((line) => TROUBLE.test(line.slice(0, 2_000)));
  const summary = lines.length === 1 ? '1 line of the collector' : `${lines.length} lines of the collector`;
  return bad.length === 0 ? said(summary) : { summary, notCollected: (bad[0] ?? '').trim().slice(0, 300) };
}

export const TEXT_RECORDS: readonly CollectorRecord[] = [
  {
    title: 'start and end of collecting',
    content: [GO_TIME],
    read: ({ text }) => readTimes(text),
  },
  {
    title: 'version of the collector',
    content: [/^[\w.-]{1,60}\/must-gather\r?\n\S{1,60}\s{0,3}$/],
    read: ({ text }) => said(text.trim().replace(/\s{1,4}/g, ' ')),
  },
  {
    title: 'log of the collector',
    content: [/^\[must-gather {0,20}\] (?:OUT|POD) /],
    read: ({ text }) => readOwnLog(text),
  },
  {
    title: 'log of the collector',
    content: [/^Using ARTIFACT_DIR=/],
    read: ({ text }) => readOwnLog(text),
  },
  {
    title: 'log of the collector',
    name: /(?:^|\/)must-gather(?:\.stderr)?\.logs?$/,
    content: [/\S/],
    read: ({ text }) => readOwnLog(text),
  },
  {
    title: 'note that something is missing',
    name: /\.missing$/,
    content: [/\S/],
    read: ({ text }) => ({ summary: '', notCollected: text.trim().slice(0, 300) }),
  },
  {
    title: 'errors of a command',
    name: /-stderr\.txt$/,
    content: [/\S/],
    read: ({ text }) => ({ summary: '', notCollected: text.trim().slice(0, 300) }),
  },
];
