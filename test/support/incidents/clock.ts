/**
 * True time and what clocks make of it.
 *
 * The whole incident is computed in true time: nanoseconds since the incident's origin, as a double (exact for 104 days).
 * The origin lies on the API server's clock, which is taken as true. A node's clock is wrong by an offset and drifts;
 * everything a node writes goes through its clock, and through a zone where the writer uses local time.
 *
 *     true ──► + offset + drift·t ──► wall (UTC, ns) ──► + zone ──► text
 */
export const MS = 1_000_000;
export const SECOND = 1_000_000_000;

export interface NodeClock {
  /** Node minus API server at the origin, ns. */
  readonly offsetNs: number;
  readonly driftPpm: number;
  /** Minutes east of UTC in which programs on this node write local time. */
  readonly zoneMinutes: number;
  /** How long the node had been up at the origin, ns: the monotonic clock's reading. */
  readonly upNs: number;
}

export const API_CLOCK: NodeClock = { offsetNs: 0, driftPpm: 0, zoneMinutes: 0, upNs: 0 };

/** Node minus API server at a moment, ms. */
export const offsetMsAt = (clock: NodeClock, trueNs: number): number =>
  (clock.offsetNs + (trueNs * clock.driftPpm) / 1_000_000) / MS;

/** The same at the moment at which the node's clock shows `shownNs`, which counts from the origin as well. */
export const offsetMsWhenShown = (clock: NodeClock, shownNs: number): number =>
  offsetMsAt(clock, (shownNs - clock.offsetNs) / (1 + clock.driftPpm / 1_000_000));

/** Reads clocks of one incident; `origin` is the true time 0 in ns since 1970 UTC. */
export class Stamper {
  readonly #origin: bigint;

  constructor(origin: bigint) {
    this.#origin = origin;
  }

  /** ns since 1970 UTC as that clock shows them. */
  wallNs(clock: NodeClock, trueNs: number): bigint {
    return this.#origin + BigInt(Math.round(trueNs + clock.offsetNs + (trueNs * clock.driftPpm) / 1_000_000));
  }

  /** `2026-03-14T10:27:36.864467604Z`: container runtime, always nine digits. */
  runtime(clock: NodeClock, trueNs: number): string {
    const wall = this.wallNs(clock, trueNs);
    return `${isoSeconds(wall)}.${fraction(wall)}Z`;
  }

  /** `2026-03-14T10:27:36Z`: what the Kubernetes API stores (floored). */
  api(clock: NodeClock, trueNs: number): string {
    return `${isoSeconds(this.wallNs(clock, trueNs))}Z`;
  }

  /** `2026-03-14T10:27:36.864467Z`: Lease renewTime. */
  micro(clock: NodeClock, trueNs: number): string {
    const wall = this.wallNs(clock, trueNs);
    return `${isoSeconds(wall)}.${fraction(wall).slice(0, 6)}Z`;
  }

  /** `2026-03-14 11:27:36,864`: Python logging, local time. */
  logging(clock: NodeClock, trueNs: number): string {
    const wall = this.#local(clock, trueNs);
    return `${isoSeconds(wall).replace('T', ' ')},${fraction(wall).slice(0, 3)}`;
  }

  /** `2026-03-14_11:27:36`: torchrun's failure block, local time, seconds floored. */
  block(clock: NodeClock, trueNs: number): string {
    return isoSeconds(this.#local(clock, trueNs)).replace('T', '_');
  }

  /** `0314 11:27:36.864000`: Python torch logger, local time, milliseconds padded to six digits. */
  torchLogger(clock: NodeClock, trueNs: number): string {
    const wall = this.#local(clock, trueNs);
    const iso = isoSeconds(wall);
    return `${iso.slice(5, 7)}${iso.slice(8, 10)} ${iso.slice(11)}.${fraction(wall).slice(0, 3)}000`;
  }

  /**
   * `314 11:27:36.864467604`: the C++ logger of torch, local time. Seconds are wall time, but the nine digits are the
   * fraction of the MONOTONIC clock, as the real one writes them: they say nothing about the wall second.
   */
  cppLogger(clock: NodeClock, trueNs: number): string {
    const iso = isoSeconds(this.#local(clock, trueNs));
    const monotonic = fraction(BigInt(Math.round(clock.upNs + trueNs)));
    return `${Number(iso.slice(5, 7))}${iso.slice(8, 10)} ${iso.slice(11)}.${monotonic}`;
  }

  /** `12345.678901`: kernel ring buffer, seconds since boot. */
  kernel(clock: NodeClock, trueNs: number): string {
    const us = Math.floor((clock.upNs + trueNs) / 1000);
    return `${Math.floor(us / 1_000_000)}.${String(us % 1_000_000).padStart(6, '0')}`;
  }

  /** `2026-03-14T10:27:36,864467+00:00`: `dmesg --time-format iso`. */
  dmesgIso(clock: NodeClock, trueNs: number): string {
    const wall = this.wallNs(clock, trueNs);
    return `${isoSeconds(wall)},${fraction(wall).slice(0, 6)}+00:00`;
  }

  #local(clock: NodeClock, trueNs: number): bigint {
    return this.wallNs(clock, trueNs) + BigInt(clock.zoneMinutes) * 60n * BigInt(SECOND);
  }
}

function isoSeconds(ns: bigint): string {
  return new Date(Number(ns / BigInt(SECOND)) * 1000).toISOString().slice(0, 19);
}

function fraction(ns: bigint): string {
  return String(ns % BigInt(SECOND)).padStart(9, '0');
}
