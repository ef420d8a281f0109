/**
 * `kubectl describe pod`, one Pod or several in a file.
 *
 *   Name:             borealis-pt-worker-2
 *   Node:             gpu-node-04/10.40.8.14
 *   Containers:
 *     pytorch:
 *       Last State:     Terminated
 *         Reason:       OOMKilled
 *         Finished:     Sat, 14 Mar 2026 10:58:07 +0100
 *
 * Source: kubectl 1.32 describe. Keys at column 0, container names at 2, their fields at 4, parts of a field at 6.
 * Clock: the same stamps as in the object, whole seconds, in the zone of the machine that ran kubectl; conditions
 * have no times, events only ages. Not covered: descriptions of other kinds, which are left out.
 */
import {
  type Claim,
  defineLineFormat,
  type EntryContext,
  type EntryHead,
  type FormatOutput,
  type LineReader,
} from '../model/format.ts';
import type { SourceRef } from '../model/source-ref.ts';
import { type Column, cellText, readHeader, readRow, repeatCount } from './kubernetes/columns.ts';
import {
  type ContainerDraft,
  finishPod,
  newContainerDraft,
  newPodDraft,
  type PodDraft,
  type StateDraft,
} from './kubernetes/describe-pod-parts.ts';

const KEY = /^([A-Z][A-Za-z]*(?:[ -][A-Za-z()]+){0,3}):(?:\s+(.*))?$/;
const FIELD = /^ {4}([A-Z][A-Za-z]*(?: [A-Za-z()]+){0,3}):(?:\s+(.*))?$/;
const PART = /^ {6}([A-Z][A-Za-z]*(?: [A-Za-z]+)?):\s+(.*)$/;
const CONTAINER = /^ {2}([a-z0-9][a-z0-9.-]{0,252}):\s*$/;
const PAIR = /^ {6}(\S[^:]{0,250}):(?:\s+(.*))?$/;
const CONDITION = /^ {2}(\S+)\s+(True|False|Unknown)\s*$/;
const LONGEST = 8000;

function claim(head: EntryHead): Claim | undefined {
  const text = head.text.replace(/^\uFEFF/, '');
  if (!/^Name:\s+\S/m.test(text.slice(0, 600)) || !/^Namespace:\s+\S/m.test(text)) return undefined;
  const marks = ['Node:', 'Start Time:', 'Service Account:', 'Containers:', 'Init Containers:', 'IPs:'].filter((mark) =>
    text.includes(`\n${mark}`),
  );
  return marks.length >= 2 ? { score: 0.95, why: 'keys of kubectl describe pod' } : undefined;
}

/** Section of a container's block that the next lines belong to. */
type Block = 'state' | 'words' | 'limits' | 'env' | 'none';

class DescribeReader implements LineReader {
  private readonly context: EntryContext;
  private readonly emit: (output: FormatOutput) => void;
  private pod: PodDraft | undefined;
  private section = '';
  private container: ContainerDraft | undefined;
  private block: Block = 'none';
  private state: StateDraft | undefined;
  private columns: readonly Column[] | undefined;
  private pods = 0;
  private others = 0;
  /** Events of the Pod that is read now; told behind the Pod. */
  private events: FormatOutput[] = [];

  constructor(context: EntryContext, emit: (output: FormatOutput) => void) {
    this.context = context;
    this.emit = emit;
  }

  line(text: string, lineNumber: number, byte: number, length: number): number {
    const line = (lineNumber === 1 ? text.replace(/^\uFEFF/, '') : text).slice(0, LONGEST).replace(/[\r ]+$/, '');
    const source: SourceRef = { kind: 'line', entry: this.context.entry, line: lineNumber, byte, length };
    const [, key, value] = line.startsWith(' ') ? [] : (KEY.exec(line) ?? []);
    if (key !== undefined) this.key(key, value ?? '', source);
    else if (this.pod !== undefined && line !== '') this.inside(this.pod, line, source);
    return Number.NaN;
  }

  private key(key: string, value: string, source: SourceRef): void {
    if (key === 'Name') this.start(source);
    if (this.pod === undefined) return;
    this.section = key;
    this.container = undefined;
    this.block = 'none';
    this.columns = undefined;
    this.pod.fields.set(key, value);
    if (key === 'Labels' || key === 'Annotations') this.pair(this.pod, value);
  }

  private start(source: SourceRef): void {
    this.finish();
    this.pod = newPodDraft(source);
  }

  private inside(pod: PodDraft, line: string, source: SourceRef): void {
    switch (this.section) {
      case 'Labels':
      case 'Annotations':
        this.pair(pod, line.trim());
        return;
      case 'Init Containers':
      case 'Containers':
      case 'Ephemeral Containers':
        this.containerLine(pod, line, source);
        return;
      case 'Conditions': {
        const [, type, status] = CONDITION.exec(line) ?? [];
        if (type !== undefined && status !== undefined) pod.conditions.push({ type, status, source });
        return;
      }
      case 'Events':
        this.eventLine(pod, line, source);
        return;
      default:
    }
  }

  private pair(pod: PodDraft, text: string): void {
    const isLabel = this.section === 'Labels';
    const cut = text.indexOf(isLabel ? '=' : ': ');
    const key = text.slice(0, Math.max(0, cut));
    if (!/^[\w./-]{1,320}$/.test(key)) return;
    if (isLabel) pod.labels[key] = text.slice(cut + 1);
    else pod.annotations[key] = text.slice(cut + 2);
  }

  private containerLine(pod: PodDraft, line: string, source: SourceRef): void {
    const name = CONTAINER.exec(line)?.[1];
    if (name !== undefined) {
      this.container = newContainerDraft(name, this.section !== 'Containers');
      pod.containers.push(this.container);
      this.block = 'none';
      return;
    }
    if (this.container === undefined) return;
    const [, field, value] = FIELD.exec(line) ?? [];
    if (field !== undefined) this.field(this.container, field, value ?? '', source);
    else this.part(this.container, line);
  }

  private field(container: ContainerDraft, field: string, value: string, source: SourceRef): void {
    container.fields.set(field, value);
    this.block = 'none';
    if (field === 'State' || field === 'Last State') {
      this.state = { word: value, source, fields: new Map() };
      if (field === 'State') container.state = this.state;
      else container.lastState = this.state;
      this.block = 'state';
    } else if (field === 'Command' || field === 'Args') this.block = 'words';
    else if (field === 'Limits') this.block = 'limits';
    else if (field === 'Environment') this.block = 'env';
  }

  private part(container: ContainerDraft, line: string): void {
    if (!line.startsWith('      ')) return;
    if (this.block === 'words') {
      container.words.push(line.slice(6));
      return;
    }
    if (this.block === 'state') {
      const [, key, value] = PART.exec(line) ?? [];
      if (key !== undefined && value !== undefined) this.state?.fields.set(key, value);
      return;
    }
    const [, key, value] = PAIR.exec(line) ?? [];
    if (key === undefined) return;
    if (this.block === 'limits') container.limits.push([key, value ?? '']);
    else if (this.block === 'env' && /^[A-Za-z_.-][\w.-]*$/.test(key)) container.env.push([key, value ?? '']);
  }

  private eventLine(pod: PodDraft, line: string, source: SourceRef): void {
    if (/^ {2}Type +Reason +Age +From +Message$/.test(line)) {
      this.columns = readHeader(line);
      return;
    }
    if (this.columns === undefined || /^ {2}-{4} /.test(line)) return;
    const row = readRow(this.columns, line);
    const reason = row && cellText(row, 'Reason');
    const name = pod.fields.get('Name');
    // A message of several lines continues below without a type.
    if (row === undefined || reason === undefined || name === undefined || line[2] === ' ') return;
    const age = cellText(row, 'Age');
    this.events.push({
      kind: 'kube-event',
      kubeEvent: {
        source,
        type: cellText(row, 'Type'),
        reason,
        message: row.get('Message') ?? '',
        object: { kind: 'Pod', name, namespace: pod.fields.get('Namespace') },
        component: cellText(row, 'From'),
        host: undefined,
        first: undefined,
        last: undefined,
        created: undefined,
        count: repeatCount(age),
        age,
      },
    });
  }

  private finish(): void {
    const draft = this.pod;
    const events = this.events;
    this.pod = undefined;
    this.events = [];
    this.section = '';
    if (draft === undefined) return;
    const pod = finishPod(draft);
    if (pod === undefined) {
      this.others += 1;
      this.emit({
        kind: 'issue',
        code: 'object-kind-unknown',
        severity: 'info',
        source: draft.source,
        detail: 'a description of something else than a Pod',
      });
      return;
    }
    this.pods += 1;
    this.emit({ kind: 'pod', pod });
    for (const event of events) this.emit(event);
  }

  end(): void {
    this.finish();
    this.emit({
      kind: 'summary',
      text: this.others > 0 ? `${this.pods} × Pod; not used: ${this.others} other descriptions` : `${this.pods} × Pod`,
    });
  }
}

export default defineLineFormat({
  id: 'describe-pod',
  title: 'Pod description',
  claim,
  open: (context, emit) => new DescribeReader(context, emit),
});
