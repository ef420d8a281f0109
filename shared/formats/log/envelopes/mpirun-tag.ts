import { defineEnvelope } from '../log-line.ts';

const TAG = /^\[(?:(?:[\w.-]{1,120}@)?\d{1,6},)?(?:mpirank:)?(\d{1,6})(?:,[\w.-]{1,60})?\]<(stdout|stderr)>: ?/;

/**
 * Open MPI's `--tag-output`: `[JOB,RANK]<stdout>:text`, from version 5 on `[prterun-HOST-PID@JOB,RANK]<stdout>: text`; in SageMaker
 * `[JOB,mpirank:RANK,HOST]<stdout>:text`. Horovod's own launcher: `[RANK]<stdout>:text`.
 */
export default defineEnvelope({
  id: 'mpirun-tag',
  first: '[',
  peel(line, memory) {
    const match = TAG.exec(line.text);
    if (match === null) return false;
    line.setTask(Number(match[1]), memory);
    line.output = match[2] === 'stderr' ? 'err' : 'out';
    line.drop(match[0].length);
    return true;
  },
  samples: [
    { text: '[1,12]<stderr>:hello', expect: { rank: 12, rankBasis: 'launcher-prefix', output: 'err', text: 'hello' } },
    { text: '[prterun-w-0-4711@1,3]<stdout>: hi', expect: { rank: 3, output: 'out', text: 'hi' } },
    { text: '[1,mpirank:12,algo-2]<stderr>:hi', expect: { rank: 12, output: 'err', text: 'hi' } },
    { text: '[3]<stdout>:hi', expect: { rank: 3, output: 'out', text: 'hi' } },
    { text: '[1,12] hello', expect: undefined },
  ],
});
