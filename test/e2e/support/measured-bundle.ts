/**
 * A stalled job whose ranks all print their measures, as loops of large trainings do: `step: 12  loss: 7.1402  memory: 38.50GiB(48.1%)  tps: 1,234`.
 * The lines are put between those of the generated incident, on the clock of their Pod's log; the rank that stalls is slow before it does.
 */
import { buildIncident } from '../../support/incidents/index.ts';
import { saveAsFolder } from '../../support/incidents/save.ts';
import { TWO_NODE_STALL } from '../../support/two-node-stall.ts';

const STALLED = 11;
const STEP_NS = 200_000_000n;
const STEPS = 41;

export async function saveMeasuredBundle(folder: string): Promise<void> {
  const incident = buildIncident({
    ...TWO_NODE_STALL,
    loop: { ...TWO_NODE_STALL.loop, logEvery: 200 },
    missing: { dumpsOfRanks: [6, 13] },
  });
  const files = new Map(incident.files);
  for (const [path, bytes] of files) {
    const pod = /^logs\/.*?(master|worker)-(\d+)\.log$/.exec(path);
    if (pod === null) continue;
    const text = Buffer.from(bytes).toString('utf8');
    files.set(path, Buffer.from(withMeasures(text, pod[1] === 'master' ? 0 : 8)));
  }
  await saveAsFolder({ ...incident, files }, folder);
}

function withMeasures(text: string, firstRank: number): string {
  const lines = text.split('\n').filter((line) => line !== '');
  const ready = lines.find((line) => /^\S+Z .*\[rank\d+\]/.test(line)) ?? lines[0] ?? '';
  const start = nsOf(ready.slice(0, ready.indexOf('Z')));
  const added: string[] = [];
  for (let rank = firstRank; rank < firstRank + 8; rank++) {
    for (let step = 1; step < STEPS; step++) {
      // Not the same for all, and the same for each run.
      const wobble = Math.sin(rank * 7.3 + step * 1.7);
      const slow = rank === STALLED && step > 30 ? 1 - (step - 30) * 0.03 : 1;
      const at = start + BigInt(step) * STEP_NS + BigInt(Math.round((wobble + 1) * 4e6 + (slow < 1 ? 3e7 : 0)));
      const loss = (7 - Math.log(step + 1) * 0.9 + wobble * 0.03).toFixed(4);
      const memory = (38.5 + (rank === STALLED ? step * 0.6 : wobble * 0.4)).toFixed(2);
      const tokens = Math.round(1234 * slow + wobble * 9);
      added.push(
        `${stampOf(at)} [rank${rank}] INFO step: ${step}  loss: ${loss}  memory: ${memory}GiB(48.1%)  tps: ${tokens.toLocaleString('en-US')}`,
      );
    }
  }
  const stamp = (line: string): string => line.slice(0, 30);
  return `${[...lines, ...added].sort((a, b) => (stamp(a) < stamp(b) ? -1 : stamp(a) > stamp(b) ? 1 : 0)).join('\n')}\n`;
}

function nsOf(stamp: string): bigint {
  const [seconds = '', fraction = ''] = stamp.split('.');
  return BigInt(Date.parse(`${seconds}Z`)) * 1_000_000n + BigInt(fraction.padEnd(9, '0'));
}

const stampOf = (ns: bigint): string =>
  `${new Date(Number(ns / 1_000_000n)).toISOString().slice(0, 19)}.${(ns % 1_000_000_000n).toString().padStart(9, '0')}Z`;
