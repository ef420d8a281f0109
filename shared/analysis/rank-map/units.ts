/**
 * Restarts inside one log stream. torchrun starts its workers again without a new container, so one stream holds
 * several attempts one after another; each is a unit here, counted from 0 as the stream shows them.
 *
 *   rank 4 of 6 (local 0) pid 15616          unit 0
 *   Sending process 15616 closing signal
 *   failed (exitcode: 1) … (pid: 15618)      ← last line of the agent in unit 0
 *   rank 4 of 6 (local 0) pid 15874          unit 1: the same rank with another pid
 *
 * The agent ends all workers before it prints `failed (…)`, once per attempt. A unit begins behind the agent's last
 * line of the unit before, since lines of new workers may come before the first one that names its rank. In a file that
 * several agents write, the failure of one says nothing of the others: there only a rank that announces itself again
 * begins a unit.
 */
import type { LogEvent } from '../../model/events.ts';
import { positionOf } from './order.ts';

export interface Units {
  /** First position of each unit; the first is -Infinity. */
  readonly starts: readonly number[];
  /** Number of the first unit, if the agent itself counts restarts and the stream begins later. */
  readonly firstUnit: number;
}

/** Kinds that only a running worker prints; a sign of a new unit where no worker announces itself. */
const WORKER_LIFE = new Set(['group-ready', 'progress', 'operation-start', 'nccl-init', 'software']);

class UnitFinder {
  readonly starts: number[] = [Number.NEGATIVE_INFINITY];
  firstUnit = 0;
  private announced = new Map<number, number | undefined>();
  private failed = false;
  private restarting = false;
  private rendezvous = 0;
  /** Position behind the agent's last line in this unit. */
  private agentEnd: number | undefined;
  private readonly announces: boolean;
  private readonly oneAgent: boolean;

  private readonly sign: 1 | -1;

  constructor(announces: boolean, oneAgent: boolean, newestFirst: boolean) {
    this.sign = newestFirst ? -1 : 1;
    this.announces = announces;
    this.oneAgent = oneAgent;
  }

  see(event: LogEvent): void {
    const at = this.sign * positionOf(event.source);
    const { body } = event;
    switch (body.kind) {
      case 'rank-announced':
        this.announce(body.rank, body.pid ?? event.pid, at);
        return;
      case 'rendezvous-result':
        if ((this.rendezvous > 0 && this.oneAgent) || this.failed || this.restarting) this.begin(at);
        this.rendezvous += 1;
        if (body.restartCount !== undefined)
          this.firstUnit = Math.max(this.firstUnit, body.restartCount - (this.starts.length - 1));
        return;
      case 'closing-signal':
        if (this.failed) this.begin(at);
        this.agentEnd = this.sign * event.lastLine + 1;
        return;
      case 'worker-failed':
        if (this.failed) this.begin(at);
        this.failed = this.oneAgent;
        this.agentEnd = this.sign * event.lastLine + 1;
        return;
      case 'worker-restart':
        this.restarting = this.oneAgent;
        this.agentEnd = this.sign * event.lastLine + 1;
        return;
      default:
        if (!this.announces && (this.failed || this.restarting) && WORKER_LIFE.has(body.kind)) this.begin(at);
    }
  }

  private announce(rank: number, pid: number | undefined, at: number): void {
    const known = this.announced.has(rank);
    const before = this.announced.get(rank);
    const otherProcess = known && pid !== undefined && before !== undefined && pid !== before;
    const again = known && (pid === undefined || before === undefined) && this.agentEnd !== undefined;
    if (otherProcess || again || this.failed || this.restarting) this.begin(at);
    this.announced.set(rank, pid);
  }

  private begin(at: number): void {
    this.starts.push(Math.min(at, this.agentEnd ?? at));
    this.announced = new Map();
    this.failed = false;
    this.restarting = false;
    this.rendezvous = 0;
    this.agentEnd = undefined;
  }
}

/** Finds the units of a stream; `events` in their order, `oneAgent`: a single agent's output. One unit if nothing restarts. */
export function findUnits(events: readonly LogEvent[], oneAgent: boolean, newestFirst = false): Units {
  const finder = new UnitFinder(
    events.some(({ body }) => body.kind === 'rank-announced' || body.kind === 'rendezvous-result'),
    oneAgent,
    newestFirst,
  );
  for (const event of events) finder.see(event);
  return { starts: finder.starts, firstUnit: finder.firstUnit };
}

/** Index of the unit that a position lies in, from 0. */
export function unitAt(units: Units, position: number): number {
  let unit = 0;
  while (unit + 1 < units.starts.length && (units.starts[unit + 1] ?? 0) <= position) unit += 1;
  return units.firstUnit + unit;
}

export const unitCount = (units: Units): number => units.firstUnit + units.starts.length;
