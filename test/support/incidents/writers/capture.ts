/**
 * What a person collects beside the objects: `kubectl describe pod` for each Pod and `kubectl get pods -o wide`. Both are
 * views: ages and a derived status instead of stamps, times in the zone of the machine that ran kubectl (UTC here).
 */
import type { ContainerEnd, Scene } from '../aftermath/story.ts';
import type { Attempts } from '../attempts.ts';
import { type NodeClock, SECOND } from '../clock.ts';
import { SOFTWARE } from '../software.ts';
import type { Timeline } from '../timeline.ts';
import type { NodePlace } from '../topology.ts';
import { ageOf, listEvents } from './events.ts';
import { annotationsOf, argsOf, type ContainerRuns, containerRuns, envOf, labelsOf, ownerOf } from './pods.ts';
import { formatAge, formatTable } from './table.ts';
import { utf8 } from './text.ts';

export const describePath = (place: NodePlace): string => `${place.pod}.describe.txt`;
export const WIDE_PATH = 'pods-wide.txt';

export function writeCapture(attempts: Attempts, timeline: Timeline): Map<string, Uint8Array> {
  const [{ scene }] = attempts;
  if (scene.spec.layout !== 'capture') return new Map();
  const views = scene.topology.nodes.map((place) => new PodView(attempts, timeline, place));
  const header = ['NAME', 'READY', 'STATUS', 'RESTARTS', 'AGE', 'IP', 'NODE', 'NOMINATED NODE', 'READINESS GATES'];
  return new Map([
    [WIDE_PATH, utf8(formatTable([header, ...views.map((view) => view.row())]))],
    ...views.map((view): [string, Uint8Array] => [describePath(view.place), utf8(view.describe())]),
  ]);
}

class PodView {
  readonly place: NodePlace;
  readonly #scene: Scene;
  readonly #attempts: Attempts;
  readonly #timeline: Timeline;
  readonly #pending: boolean;
  readonly #runs: ContainerRuns;
  readonly #ended: ContainerEnd | undefined;

  constructor(attempts: Attempts, timeline: Timeline, place: NodePlace) {
    this.#scene = attempts[0].scene;
    this.#attempts = attempts;
    this.#timeline = timeline;
    this.place = place;
    this.#pending = this.#scene.plan.missingNode === place.index;
    this.#runs = containerRuns(attempts, timeline.snapshotNs, place);
    this.#ended = this.#runs.end;
  }

  row(): string[] {
    const age = formatAge(Math.floor((this.#timeline.snapshotNs - this.#timeline.createdNs) / SECOND));
    const evicted = this.#scene.plan.evictedNode === this.place.index;
    const status = evicted ? 'Terminating' : this.#pending ? 'Pending' : (this.#ended?.reason ?? 'Running');
    const running = !this.#pending && this.#ended === undefined;
    const where = this.#pending ? ['<none>', '<none>'] : [this.place.podIp, this.place.node];
    return [this.place.pod, running ? '1/1' : '0/1', status, this.#restarts(), age, ...where, '<none>', '<none>'];
  }

  #restarts(): string {
    const { previous } = this.#runs;
    if (previous === undefined) return '0';
    return `1 (${formatAge(Math.floor((this.#timeline.snapshotNs - previous.end.atNs) / SECOND))} ago)`;
  }

  describe(): string {
    const { place } = this;
    const { namespace } = this.#scene.topology;
    const owner = ownerOf(this.#scene);
    const labels = Object.entries(labelsOf(this.#scene, place)).map(([key, value]) => `${key}=${value}`);
    const field = (name: string, value: string): string => `${`${name}:`.padEnd(22)}${value}`;
    const start = this.#pending
      ? []
      : [field('Start Time', this.#time(place.clock, (this.#runs.previous ?? this.#runs).startedNs - 2.5 * SECOND))];
    return [
      field('Name', place.pod),
      field('Namespace', namespace),
      field('Priority', '0'),
      field('Service Account', 'default'),
      field('Node', this.#pending ? '<none>' : `${place.node}/${place.hostIp}`),
      ...start,
      ...labels.map((label, i) => (i === 0 ? field('Labels', label) : `${' '.repeat(22)}${label}`)),
      ...this.#annotations(field),
      ...this.#status().map(([name, value]) => field(name, value)),
      field('IP', this.#pending ? '' : place.podIp).trimEnd(),
      field('Controlled By', `${owner.kind}/${owner.name}`),
      'Containers:',
      ...this.#container(),
      'Conditions:',
      '  Type           Status',
      ...(this.#pending
        ? ['  PodScheduled   False ']
        : [
            '  Initialized    True ',
            `  Ready          ${this.#ended === undefined ? 'True' : 'False'} `,
            '  PodScheduled   True ',
          ]),
      field('QoS Class', 'Guaranteed'),
      field('Node-Selectors', '<none>'),
      field('Tolerations', 'node.kubernetes.io/not-ready:NoExecute op=Exists for 300s'),
      ...this.#events(),
      '',
    ].join('\n');
  }

  #annotations(field: (name: string, value: string) => string): string[] {
    const pairs = Object.entries(annotationsOf(this.#scene) ?? {}).map(([key, value]) => `${key}: ${value}`);
    if (pairs.length === 0) return [field('Annotations', '<none>')];
    return pairs.map((pair, i) => (i === 0 ? field('Annotations', pair) : `${' '.repeat(22)}${pair}`));
  }

  #status(): [string, string][] {
    if (this.#scene.plan.evictedNode === this.place.index)
      return [
        ['Status', 'Terminating (lasts 70s)'],
        ['Termination Grace Period', '30s'],
      ];
    if (this.#pending) return [['Status', 'Pending']];
    const { code } = this.#ended ?? {};
    return [['Status', code === undefined ? 'Running' : code === 0 ? 'Succeeded' : 'Failed']];
  }

  #container(): string[] {
    const { spec, topology } = this.#scene;
    const field = (name: string, value: string): string => `    ${`${name}:`.padEnd(16)}${value}`;
    return [
      `  ${topology.container}:`,
      field('Container ID', this.#pending ? '' : `containerd://${this.#runs.containerId}`).trimEnd(),
      field('Image', SOFTWARE[spec.backend].image),
      '    Command:',
      '      torchrun',
      '    Args:',
      ...argsOf(this.#scene, this.place).map((arg) => `      ${arg}`),
      ...this.#state(),
      field('Ready', !this.#pending && this.#ended === undefined ? 'True' : 'False'),
      field('Restart Count', this.#runs.previous === undefined ? '0' : '1'),
      '    Environment:',
      ...envOf(this.#scene, this.place).map(({ name, value }) => `      ${`${name}:`.padEnd(24)}${value}`),
      '    Mounts:           <none>',
    ];
  }

  #state(): string[] {
    if (this.#pending) return [];
    const field = (name: string, value: string): string => `      ${`${name}:`.padEnd(14)}${value}`;
    const started = (ns: number): string => field('Started', this.#time(this.place.clock, ns));
    const terminated = (one: { startedNs: number; end: ContainerEnd }): string[] => [
      field('Reason', one.end.reason),
      field('Exit Code', String(one.end.code)),
      started(one.startedNs),
      field('Finished', this.#time(this.place.clock, one.end.atNs)),
    ];
    const { startedNs, end, previous } = this.#runs;
    return [
      ...(end === undefined
        ? ['    State:          Running', started(startedNs)]
        : ['    State:          Terminated', ...terminated({ startedNs, end })]),
      ...(previous === undefined ? [] : ['    Last State:     Terminated', ...terminated(previous)]),
    ];
  }

  #events(): string[] {
    const own = listEvents(this.#attempts, this.#timeline).filter((event) => event.place === this.place);
    const rows = own.map((event) => [
      event.type,
      event.reason,
      ageOf(this.#scene, event, this.#timeline),
      event.source.component,
      event.message,
    ]);
    const table = [
      ['Type', 'Reason', 'Age', 'From', 'Message'],
      ['----', '------', '----', '----', '-------'],
      ...rows,
    ];
    const widths = [0, 1, 2, 3].map((column) => Math.max(...table.map((row) => (row[column] ?? '').length)));
    const line = (row: readonly string[]): string =>
      row.map((cell, i) => (i === 4 ? cell : cell.padEnd(widths[i] ?? 0))).join('  ');
    return ['Events:', ...table.map((row) => `  ${line(row)}`)];
  }

  /** `Sat, 14 Mar 2026 10:58:07 +0000` */
  #time(clock: NodeClock, atNs: number): string {
    const ms = Number(this.#scene.stamper.wallNs(clock, atNs) / 1_000_000n);
    return new Date(ms).toUTCString().replace('GMT', '+0000');
  }
}
