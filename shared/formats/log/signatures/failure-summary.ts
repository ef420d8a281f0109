import type { WorkerFailure } from '../../../model/events.ts';
import { readIsoStamp, toStamp } from '../stamp.ts';
import { defineRecord, type Message, num, type OpenRecord } from './define.ts';

const RULE = /^\s*(?:={10,}|\*{10,})\s*$/;
const FIELD = /^\s{0,6}(time|host|rank|exitcode|error_file|traceback|msg)\s{0,10}: ?(.{0,4000})$/;
const RANK = /^(\d{1,7}) \(local_rank: (\d{1,5})\)/;
const EXIT = /^(-?\d{1,6}) \(pid: (\d{1,8})\)/;
/** Failures kept of one block; a node has far fewer processes. */
const MAX_FAILURES = 1024;
/** Lines of a quoted traceback looked at per failure. */
const MAX_MESSAGE = 600;

interface Draft {
  root: boolean;
  fields: Map<string, string>;
  lastLine: string;
}

function toFailure(draft: Draft): WorkerFailure | undefined {
  const rank = RANK.exec(draft.fields.get('rank') ?? '');
  const exit = EXIT.exec(draft.fields.get('exitcode') ?? '');
  if (rank === null || exit === null) return undefined;
  const time = readIsoStamp(draft.fields.get('time') ?? '', 0);
  const errorFile = draft.fields.get('error_file')?.trim() ?? '<N/A>';
  const traceback = draft.fields.get('traceback') ?? draft.fields.get('msg');
  const message = traceback?.startsWith('Traceback ') ? draft.lastLine || traceback : traceback;
  return {
    root: draft.root,
    rank: Number(rank[1]),
    localRank: Number(rank[2]),
    host: draft.fields.get('host')?.trim() || undefined,
    time: time && toStamp(time.raw),
    exitCode: Number(exit[1]),
    pid: num(exit[2]),
    hasErrorFile: errorFile !== '<N/A>' && errorFile !== '',
    message: message?.trim().slice(0, MAX_MESSAGE),
  };
}

function openBlock(first: Message): OpenRecord {
  const drafts: Draft[] = [];
  let root = first.text.includes('Root Cause');
  let rootSeen = root;
  let current: Draft | undefined;

  const begin = (): void => {
    current = { root, fields: new Map(), lastLine: '' };
    if (drafts.length < MAX_FAILURES) drafts.push(current);
  };

  return {
    take({ text, header }) {
      if (header !== undefined) return 'pass';
      if (RULE.test(text)) {
        // Versions up to 1.9 put a rule between the root and the others, and list the root first.
        return rootSeen && drafts.length > 0 && !/Other Failures/.test(text) ? 'last' : 'more';
      }
      if (text.startsWith('Root Cause')) {
        root = true;
        rootSeen = true;
        current = undefined;
        return 'more';
      }
      if (/^(?:Other )?Failures:/.test(text)) {
        root = false;
        current = undefined;
        return 'more';
      }
      if (/^\s{0,4}\[\d{1,6}\]:\s*$/.test(text)) {
        begin();
        return 'more';
      }
      if (/^-{10,}$/.test(text) || text.trim() === '' || text.includes('<NO_OTHER_FAILURES>')) return 'more';
      const field = FIELD.exec(text);
      if (field !== null && current !== undefined) {
        current.fields.set(field[1] ?? '', field[2] ?? '');
        return 'more';
      }
      // A quoted traceback is indented; its last line is the exception.
      if (current?.fields.has('traceback') && /^\s/.test(text)) {
        if (!/^\s*(?:File "|[~^]+\s*$)/.test(text)) current.lastLine = text;
        return 'more';
      }
      return rootSeen ? 'over' : 'pass';
    },
    close: () => {
      const failures = drafts.flatMap((draft) => toFailure(draft) ?? []);
      if (failures.length === 0) return { hits: [] };
      const rootFailure = failures.find((failure) => failure.root);
      const named =
        rootFailure === undefined
          ? 'no root named'
          : `root cause: rank ${rootFailure.rank}, exit code ${rootFailure.exitCode}`;
      return {
        hits: [{ body: { kind: 'failure-summary', failures } }],
        text: `torchrun failure summary of ${failures.length} ${failures.length === 1 ? 'process' : 'processes'}, ${named}`,
      };
    },
  };
}

/**
 * torchrun's block at the end of a node's output: `Failures:` with one part per child, then
 * `Root Cause (first observed failure):`. It knows only the node's own children. Without an error file the time is when
 * the agent noticed the exit. Versions up to 1.9 print `Root Cause:` first and `Other Failures:` after it.
 */
export default defineRecord({
  id: 'failure-summary',
  literals: ['Failures:', 'Root Cause'],
  open: (message) =>
    /^(?:Failures:|Root Cause(?: \(first observed failure\))?:)\s*$/.test(message.text)
      ? openBlock(message)
      : undefined,
  samples: [
    {
      lines: [
        'Failures:',
        '[1]:',
        '  time      : 2026-11-29_18:33:16',
        '  host      : w-1',
        '  rank      : 3 (local_rank: 1)',
        '  exitcode  : -15 (pid: 3174)  (SIGTERM)',
        '  error_file: <N/A>',
        '  traceback : Signal 15 (SIGTERM) received by PID 3174',
        '------------------------------------------------------------',
        'Root Cause (first observed failure):',
        '[0]:',
        '  time      : 2026-11-29_18:33:15',
        '  host      : w-1',
        '  rank      : 2 (local_rank: 0)',
        '  exitcode  : 1 (pid: 3172) ',
        '  error_file: /tmp/x/attempt_0/0/error.json',
        '  traceback : Traceback (most recent call last):',
        '    File "/workspace/train.py", line 402, in train_step',
        '      raise ValueError("no")',
        '  ValueError: no',
        '============================================================',
      ],
      expect: [
        {
          kind: 'failure-summary',
          failures: [
            {
              root: false,
              rank: 3,
              localRank: 1,
              host: 'w-1',
              time: stampOf('2026-11-29_18:33:16'),
              exitCode: -15,
              pid: 3174,
              hasErrorFile: false,
              message: 'Signal 15 (SIGTERM) received by PID 3174',
            },
            {
              root: true,
              rank: 2,
              localRank: 0,
              host: 'w-1',
              time: stampOf('2026-11-29_18:33:15'),
              exitCode: 1,
              pid: 3172,
              hasErrorFile: true,
              message: 'ValueError: no',
            },
          ],
        },
      ],
    },
    {
      lines: [
        'Root Cause:',
        '[0]:',
        '  time: 2021-07-21_14:09:25',
        '  rank: 0 (local_rank: 0)',
        '  exitcode: 1 (pid: 12345)',
        '  error_file: <N/A>',
        '  msg: "Process failed with exitcode 1"',
        '=======================================',
      ],
      expect: [
        {
          kind: 'failure-summary',
          failures: [
            {
              root: true,
              rank: 0,
              localRank: 0,
              host: undefined,
              time: stampOf('2021-07-21_14:09:25'),
              exitCode: 1,
              pid: 12_345,
              hasErrorFile: false,
              message: '"Process failed with exitcode 1"',
            },
          ],
        },
      ],
    },
  ],
  nearMisses: ['Failures: 3, Errors: 1'],
});

function stampOf(text: string) {
  const read = readIsoStamp(text, 0);
  return read && toStamp(read.raw);
}
