/**
 * The hostfile of mpirun: which host has how many slots, as MPIJob's ConfigMap or a Slurm prolog writes it.
 *
 *   job-worker-0.job.ml.svc slots=8            Open MPI; also max_slots=
 *   job-worker-1.job.ml.svc:8                  Intel MPI, MPICH
 *
 * Ranks go by slot in the file's order unless mpirun was told otherwise (--map-by, --rank-by), so they are told in the summary and
 * place no rank. Clock: none.
 */
import { defineLineFormat, type EntryHead } from '../model/format.ts';
import { headLines, looksLikeText } from './text-head.ts';

const SLOTS =
  /^([A-Za-z0-9][A-Za-z0-9.-]{0,252})\s{1,20}slots\s{0,4}=\s{0,4}(\d{1,5})(?:\s{1,20}max[-_]slots\s{0,4}=\s{0,4}\d{1,5})?\s*(?:#.*)?$/;
const COLON = /^([A-Za-z0-9][A-Za-z0-9.-]{0,252}):(\d{1,5})\s*(?:#.*)?$/;
const NAMED = /(?:^|[/_.-])(?:hostfile|machinefile|hosts|machines)(?:\.(?:txt|conf))?$/i;
/** Hosts that the summary names. */
const MAX_SHOWN = 4;

const contentOf = (lines: readonly string[]): readonly string[] =>
  lines.filter((line) => line.trim() !== '' && !line.trimStart().startsWith('#'));

export default defineLineFormat({
  id: 'mpi-hostfile',
  title: 'MPI hostfile',
  claim(head: EntryHead) {
    if (!looksLikeText(head.text)) return undefined;
    const lines = contentOf(headLines(head.text, head.whole));
    if (lines.length === 0) return undefined;
    if (lines.every((line) => SLOTS.test(line))) return { score: 0.92, why: 'each line is a host with its slots' };
    // `localhost:8080` may stand in any list.
    return NAMED.test(head.path) && lines.every((line) => COLON.test(line))
      ? { score: 0.3, why: 'hosts with a number each, under the name of a hostfile' }
      : undefined;
  },
  open(_context, emit) {
    const hosts: { readonly name: string; readonly slots: number }[] = [];
    let count = 0;
    let slots = 0;
    return {
      line(text) {
        const [, name, number] = SLOTS.exec(text) ?? COLON.exec(text) ?? [];
        if (name === undefined) return Number.NaN;
        count += 1;
        if (hosts.length < MAX_SHOWN) hosts.push({ name, slots: Number(number) });
        slots += Number(number);
        return Number.NaN;
      },
      end() {
        let first = 0;
        const ranges = hosts.map((host) => {
          const from = first;
          first += host.slots;
          return `${from}–${first - 1} on ${host.name}`;
        });
        const more = count > hosts.length ? ', …' : '';
        const ranks = `ranks ${ranges.join(', ')}${more} unless mpirun was told otherwise`;
        emit({ kind: 'summary', text: `${count} ${count === 1 ? 'host' : 'hosts'}, ${slots} slots: ${ranks}` });
      },
    };
  },
});
