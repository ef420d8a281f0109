/**
 * Thousands of dumps of one job say the same: the same files and functions, stacks, shapes and members of groups. What is equal to a part of an earlier
 * dump takes that part's place, so that it is held once. The dumps tell the same as before, and no part stands twice inside one dump because of it.
 */
import type { DumpGroup, FlightRecorderDump } from '../../model/flight-recorder.ts';

/** Texts that are remembered; a job that names more is not made of equal dumps. Chosen. */
const MAX_TEXTS = 100_000;
/** Tables, and lists of members at one place in `pg_config`, that are compared with: several kinds of ranks stand side by side. Chosen. */
const MAX_RECENT = 16;

/** What was seen last, to be used again. */
class Recent<T> {
  private readonly same: (a: T, b: T) => boolean;
  private readonly list: T[] = [];

  constructor(same: (a: T, b: T) => boolean) {
    this.same = same;
  }

  of(value: T): T {
    const at = this.list.findIndex((known) => this.same(known, value));
    const [known] = at < 0 ? [] : this.list.splice(at, 1);
    this.list.unshift(known ?? value);
    if (this.list.length > MAX_RECENT) this.list.pop();
    return known ?? value;
  }
}

type Frames = FlightRecorderDump['frames'];

export class DumpSharing {
  private readonly texts = new Map<string, string>();
  private readonly frames = new Recent<Frames>(sameFrames);
  private readonly stacks = new Recent<FlightRecorderDump['stacks']>((a, b) => sameItems(a, b, sameItemsOf));
  private readonly shapes = new Recent<readonly string[]>(sameItemsOf);
  /** By place of the group. */
  private readonly members: Recent<readonly number[]>[] = [];

  share(dump: FlightRecorderDump): FlightRecorderDump {
    return {
      ...dump,
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
    this.members[place] ??= new Recent<readonly number[]>(sameItemsOf);
    return { ...group, ranks: this.members[place].of(group.ranks) };
  }
}

function sameItems<T>(a: readonly T[], b: readonly T[], same: (a: T, b: T) => boolean): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) {
    const [one, other] = [a[i], b[i]];
    if (one === undefined || other === undefined || !same(one, other)) return false;
  }
  return true;
}

function sameItemsOf<T extends number | string>(a: ArrayLike<T>, b: ArrayLike<T>): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

const sameFrames = (a: Frames, b: Frames): boolean =>
  sameItems(a, b, (one, other) => one.line === other.line && one.name === other.name && one.file === other.file);
