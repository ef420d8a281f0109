/**
 * Thousands of dumps of one job say the same: the same files and functions, stacks, shapes and members of groups, and the same calls in the same order, at
 * other times. What is equal to a part of an earlier dump takes that part's place, so that it is held once. The dumps tell the same as before, no
 * part stands twice inside one dump because of it, and what a dump is when it is serialised does not depend on what was read before it.
 */
import { Recent, sameItems } from '../../lib/recent.ts';
import type { DumpGroup, FlightRecorderDump } from '../../model/flight-recorder.ts';
import { ColumnSharing } from './column-sharing.ts';

/** Texts that are remembered; a job that names more is not made of equal dumps. Chosen. */
const MAX_TEXTS = 100_000;
/** Tables, and lists of members at one place in `pg_config`, that are compared with: several kinds of ranks stand side by side. Chosen. */
const MAX_RECENT = 16;

type Frames = FlightRecorderDump['frames'];

export class DumpSharing {
  private readonly texts = new Map<string, string>();
  private readonly frames = new Recent<Frames>(sameFrames, MAX_RECENT);
  private readonly stacks = new Recent<FlightRecorderDump['stacks']>((a, b) => sameParts(a, b, sameItems), MAX_RECENT);
  private readonly shapes = new Recent<readonly string[]>(sameItems, MAX_RECENT);
  private readonly columns = new ColumnSharing(MAX_RECENT);
  /** By place of the group. */
  private readonly members: Recent<readonly number[]>[] = [];

  share(dump: FlightRecorderDump): FlightRecorderDump {
    return {
      ...dump,
      columns: this.columns.share(dump.columns),
      groups: dump.groups.map((group, place) => this.group(group, place)),
      strings: dump.strings.map((text) => this.text(text)),
      shapes: this.shapes.of(dump.shapes),
      stacks: this.stacks.of(dump.stacks),
      frames: this.frames.of(dump.frames),
    };
  }

  private text(text: string): string {
    const known = this.texts.get(text);
    if (known !== undefined) return known;
    if (this.texts.size < MAX_TEXTS) this.texts.set(text, text);
    return text;
  }

  private group(group: DumpGroup, place: number): DumpGroup {
    if (place >= MAX_RECENT) return group;
    this.members[place] ??= new Recent<readonly number[]>(sameItems, MAX_RECENT);
    return { ...group, ranks: this.members[place].of(group.ranks) };
  }
}

function sameParts<T>(a: readonly T[], b: readonly T[], same: (a: T, b: T) => boolean): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) {
    const [one, other] = [a[i], b[i]];
    if (one === undefined || other === undefined || !same(one, other)) return false;
  }
  return true;
}

const sameFrames = (a: Frames, b: Frames): boolean =>
  sameParts(a, b, (one, other) => one.line === other.line && one.name === other.name && one.file === other.file);
