import { defineSignature } from './define.ts';

const SHAPES: readonly RegExp[] = [
  /^[\w./-]{1,200}\.py: error: (.{1,400})/,
  /^(?:[\w./-]{0,200}\/)?python[\d.]{0,6}: (can't open file .{1,400}|No module named .{1,200}|can't find '__main__' module .{1,200})/,
];

/**
 * The program never began: its arguments were refused (argparse prints `train.py: error: …` and no traceback) or the
 * interpreter did not find it. Told as an exception of the class that such exceptions have.
 */
export default defineSignature({
  id: 'launch-error',
  literals: ['.py: error: ', "can't open file", ': No module named ', "can't find '__main__'"],
  match({ text }) {
    for (const shape of SHAPES) {
      const message = shape.exec(text)?.[1];
      if (message === undefined) continue;
      return {
        body: { kind: 'exception', type: 'SystemExit', message, class: 'configuration', frames: [], handled: false },
      };
    }
    return undefined;
  },
  samples: [
    {
      text: 'train.py: error: unrecognized arguments: --lrr 3',
      expect: {
        kind: 'exception',
        type: 'SystemExit',
        message: 'unrecognized arguments: --lrr 3',
        class: 'configuration',
        frames: [],
        handled: false,
      },
    },
    {
      text: "/opt/venv/bin/python: can't open file '/workspace/train.py': [Errno 2] No such file or directory",
      expect: {
        kind: 'exception',
        type: 'SystemExit',
        message: "can't open file '/workspace/train.py': [Errno 2] No such file or directory",
        class: 'configuration',
        frames: [],
        handled: false,
      },
    },
  ],
  nearMisses: ['flake8: train.py: error: E501', "ModuleNotFoundError: No module named 'x'"],
});
