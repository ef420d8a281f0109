/** Tells the lines of a text of pressure readings apart, and what they say; knows nothing of events. */
import type { LinePlace } from '../log/event-draft.ts';
import type { RawStamp } from '../log/stamp.ts';
import { readDateLine } from './date-line.ts';
import { type CgroupOwner, knownFile, ownerOfCgroup, type ReadingPlace, readHeading } from './heading.ts';
import {
  type Block,
  createCpuStat,
  createMeminfo,
  createMemoryEvents,
  createPressure,
  readLoad,
  readSingle,
} from './readings.ts';
import { openTable, type Row, readTop } from './tables.ts';

/** `/sys/fs/cgroup/memory.events:oom_kill 1`, as `grep .` and `grep -r` write it. */
const GREPPED = /^(\/?[\w.@+/-]{1,400}):([A-Za-z_0-9].{0,200})$/;
/** What only these files hold; `max 3` and `VmRSS: 4 kB` stand in others as well. */
const ANCHOR = /^(?:oom_kill |usage_usec |nr_periods |MemTotal:|(?:some|full) avg10=)/;

/** `heading`: also a line of `date`. */
export type Taken = 'data' | 'heading' | 'other';

/** Where a reading was taken. */
export interface Where extends CgroupOwner {
  readonly place: ReadingPlace | undefined;
}

export class PressureScanner {
  /** Nothing but numbers was read: their meaning is in the file's name alone. */
  byNameOnly = true;
  readonly kinds = new Set<string>();
  /** Headings that name a reading or whose it is. */
  headings = 0;
  /** What the lines below the last heading are of, if another format reads them. */
  foreign: 'kernel' | 'gpu' | undefined;
  stamp: RawStamp | undefined;
  private readonly blocks: ReadonlyMap<string, Block> = new Map([
    ['cpu.stat', createCpuStat()],
    ['memory.events', createMemoryEvents()],
    ['pressure', createPressure()],
    ['meminfo', createMeminfo()],
  ]);
  private readonly tell: (row: Row, place: LinePlace, where: Where) => void;
  private readonly own: { readonly file: string | undefined; readonly path: string };
  private block: Block | undefined;
  private blockAt: LinePlace = { line: 1, byte: 0, length: 0 };
  private table: ReturnType<typeof openTable>;
  private file: string | undefined;
  private path: string;
  private section: ReadingPlace | undefined;
  place: ReadingPlace | undefined;

  constructor(path: string, tell: (row: Row, place: LinePlace, where: Where) => void) {
    this.own = { file: knownFile(path), path };
    this.file = this.own.file;
    this.path = path;
    this.tell = tell;
  }

  line(text: string, place: LinePlace): Taken {
    if (this.foreign !== undefined) return this.heading(text);
    if (text.trim() === '') {
      this.close();
      return 'other';
    }
    const grepped = GREPPED.exec(text);
    const file = grepped === null ? undefined : knownFile(grepped[1] ?? '');
    if (file !== undefined && grepped?.[1] !== undefined) {
      if (grepped[1] !== this.path) this.openFile(grepped[1], file, this.section);
      return this.data(grepped[2] ?? '', place) ? 'data' : 'other';
    }
    if (this.data(text, place)) return 'data';
    this.close();
    const stamp = readDateLine(text);
    if (stamp !== undefined) {
      this.stamp = stamp;
      return 'heading';
    }
    return this.heading(text);
  }

  private heading(text: string): Taken {
    const heading = readHeading(text);
    if (heading === undefined) return 'other';
    const isKnown =
      heading.file !== undefined ||
      heading.command ||
      heading.foreign !== undefined ||
      heading.place !== undefined ||
      heading.section !== undefined;
    // The kernel's messages and nvidia-smi's banner may look like headings.
    if (!isKnown && this.foreign !== undefined) return 'other';
    this.foreign = heading.foreign;
    if (heading.section !== undefined) this.section = heading.section;
    // Whoever printed the time above another heading had another clock.
    if (heading.section !== undefined || heading.place !== undefined) this.stamp = undefined;
    if (isKnown) this.headings += 1;
    this.openFile(
      heading.file ?? '',
      heading.file === undefined ? undefined : knownFile(heading.file),
      heading.place ?? this.section,
    );
    return isKnown ? 'heading' : 'other';
  }

  private openFile(path: string, file: string | undefined, place: ReadingPlace | undefined): void {
    this.close();
    this.path = path;
    this.file = file;
    this.place = place;
  }

  private data(text: string, place: LinePlace): boolean {
    const rows = this.table?.read(text);
    if (rows !== undefined) {
      for (const row of rows) this.tell(row, place, this.where());
      return true;
    }
    return this.ofBlock(text, place) || this.ofTable(text) || this.ofLine(text, place);
  }

  private ofBlock(text: string, place: LinePlace): boolean {
    for (const [kind, block] of this.blocks) {
      let taken = block.take(text, this.file);
      if (taken === false) continue;
      if (taken === 'again' || (this.block !== undefined && this.block !== block)) {
        this.close();
        if (taken === 'again') taken = block.take(text, this.file);
      }
      this.table = undefined;
      this.block = block;
      // What a block says hangs on its last telling line: nr_throttled, oom_kill, the line of PSI, MemAvailable.
      if (/throttled|^oom_kill |avg10|^MemAvailable/.test(text)) this.blockAt = place;
      if (ANCHOR.test(text)) {
        this.byNameOnly = false;
        this.kinds.add(kind === 'pressure' ? 'pressure stall information' : kind);
      }
      return true;
    }
    return false;
  }

  private ofTable(text: string): boolean {
    const table = openTable(text);
    if (table === undefined) return false;
    this.close();
    this.table = table;
    this.byNameOnly = false;
    this.kinds.add(table.name);
    return true;
  }

  private ofLine(text: string, place: LinePlace): boolean {
    const load = readLoad(text);
    const said = load === undefined ? (readTop(text) ?? readSingle(text, this.file)) : 'known';
    if (said === undefined) return false;
    this.close();
    if (load !== undefined || Array.isArray(said)) {
      this.byNameOnly = false;
      this.kinds.add(load ?? 'top');
    } else this.kinds.add(this.file ?? '');
    if (said === 'known') return true;
    for (const row of 'what' in said ? [said] : said) this.tell(row, place, this.where());
    return true;
  }

  /** Ends what is open: a block says what its lines came to. */
  close(): void {
    this.table = undefined;
    const { block } = this;
    this.block = undefined;
    if (block === undefined) return;
    for (const row of block.end()) this.tell(row, this.blockAt, this.where());
  }

  private where(): Where {
    const own = ownerOfCgroup(this.path);
    return {
      place: this.place,
      ...((own.podUid ?? own.containerId) === undefined ? ownerOfCgroup(this.own.path) : own),
    };
  }
}
