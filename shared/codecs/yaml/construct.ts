/** Builds document values out of the events of js-yaml's parser, within limits. */
import { EVENT_ID, type Event, getScalarValue, SCALAR_STYLE, type ScalarEvent } from 'js-yaml';
import { type DocLimits, type DocMap, type DocValue, isList, isMap } from '../document-tree.ts';

/** Something to tell that does not stop the reading. */
export interface YamlNote {
  readonly at: number;
  readonly reason: string;
}

export class YamlFault extends Error {
  readonly at: number;
  constructor(reason: string, at: number) {
    super(reason);
    this.at = at;
  }
}

const NULLS = new Set(['', '~', 'null', 'Null', 'NULL']);
const TRUES = new Set(['true', 'True', 'TRUE']);
const FALSES = new Set(['false', 'False', 'FALSE']);

interface OpenList {
  readonly kind: 'list';
  readonly at: number;
  readonly anchor: string | undefined;
  readonly items: DocValue[];
}
interface OpenMap {
  readonly kind: 'map';
  readonly at: number;
  readonly anchor: string | undefined;
  readonly entries: Map<string, DocValue>;
  /** Key that waits for its value; null = a key that is no text, its value is dropped. */
  key: string | null | undefined;
}
type Open = OpenList | OpenMap;

/**
 * The value of the first document among `events`. Offsets are those of the events plus `base`.
 *
 * An alias is the same value once more, never a copy; an alias into itself is refused. Tags build nothing: a
 * scalar with one stays text, a collection stays a collection. Of two equal keys the later one is kept. All of
 * these are noted.
 */
export function constructDocument(
  events: readonly Event[],
  source: string,
  base: number,
  limits: DocLimits,
  note: (note: YamlNote) => void,
): DocValue {
  return new Builder(source, base, limits, note).build(events);
}

class Builder {
  private readonly source: string;
  private readonly base: number;
  private readonly limits: DocLimits;
  private readonly note: (note: YamlNote) => void;
  private readonly stack: Open[] = [];
  private readonly anchors = new Map<string, DocValue>();
  private root: DocValue = null;
  private nodes = 0;
  /** Offset behind the last text that was seen: the end of a collection that closes now. */
  private seen = 0;

  constructor(source: string, base: number, limits: DocLimits, note: (note: YamlNote) => void) {
    this.source = source;
    this.base = base;
    this.limits = limits;
    this.note = note;
  }

  build(events: readonly Event[]): DocValue {
    for (const event of events) {
      if (event.type === EVENT_ID.POP) {
        const open = this.stack.pop();
        if (open === undefined) return this.root;
        this.close(open);
      } else if (event.type !== EVENT_ID.DOCUMENT) this.open(event);
    }
    return this.root;
  }

  private open(event: Exclude<Event, { type: typeof EVENT_ID.POP | typeof EVENT_ID.DOCUMENT }>): void {
    this.nodes += 1;
    if (this.nodes > this.limits.maxNodes)
      throw new YamlFault(`more than ${this.limits.maxNodes} values`, this.base + this.seen);
    if (event.type === EVENT_ID.ALIAS) {
      this.seen = event.anchorEnd;
      this.add(this.alias(this.source.slice(event.anchorStart, event.anchorEnd), event.anchorStart));
      return;
    }
    const anchor = event.anchorStart < 0 ? undefined : this.source.slice(event.anchorStart, event.anchorEnd);
    if (event.type === EVENT_ID.SCALAR) {
      if (event.valueEnd >= 0) this.seen = event.valueEnd;
      const value = this.scalar(event);
      if (anchor !== undefined) this.anchors.set(anchor, value);
      this.add(value);
      return;
    }
    this.noteTag(event.tagStart, event.tagEnd);
    this.seen = event.start;
    const at = this.base + event.start;
    if (anchor !== undefined) this.anchors.delete(anchor);
    if (event.type === EVENT_ID.SEQUENCE) this.stack.push({ kind: 'list', at, anchor, items: [] });
    else this.stack.push({ kind: 'map', at, anchor, entries: new Map(), key: undefined });
  }

  private close(open: Open): void {
    const value: DocValue =
      open.kind === 'list'
        ? { kind: 'list', at: open.at, items: open.items }
        : ({ kind: 'map', at: open.at, end: this.base + this.seen, entries: open.entries } satisfies DocMap);
    if (open.anchor !== undefined) this.anchors.set(open.anchor, value);
    this.add(value);
  }

  private add(value: DocValue): void {
    const parent = this.stack.at(-1);
    if (parent === undefined) this.root = value;
    else if (parent.kind === 'list') parent.items.push(value);
    else if (parent.key === undefined) parent.key = this.keyText(value);
    else {
      if (parent.key !== null) {
        if (parent.entries.has(parent.key))
          this.note({
            at: this.base + this.seen,
            reason: `the key '${parent.key.slice(0, 80)}' is there twice; the later one was taken`,
          });
        parent.entries.set(parent.key, value);
      }
      parent.key = undefined;
    }
  }

  private keyText(value: DocValue): string | null {
    if (!isMap(value) && !isList(value)) return value === null ? '' : String(value);
    this.note({ at: value.at, reason: 'a key that is a collection was left out' });
    return null;
  }

  private alias(name: string, at: number): DocValue {
    const value = this.anchors.get(name);
    if (value === undefined) {
      const inside = this.stack.some((open) => open.anchor === name);
      throw new YamlFault(
        inside ? `the alias *${name} points into itself` : `the alias *${name} points at nothing`,
        this.base + at,
      );
    }
    return value;
  }

  private scalar(event: ScalarEvent): DocValue {
    const text = getScalarValue(this.source, event);
    const tag = this.noteTag(event.tagStart, event.tagEnd);
    if (event.style !== SCALAR_STYLE.PLAIN || tag !== undefined) return text;
    if (NULLS.has(text)) return null;
    if (TRUES.has(text)) return true;
    return FALSES.has(text) ? false : text;
  }

  /** Tags of the core schema say what is known anyway; others are told. */
  private noteTag(start: number, end: number): string | undefined {
    if (start < 0) return undefined;
    const tag = this.source.slice(start, end);
    if (!/^!!?(?:str|int|float|bool|null|map|seq)?$/.test(tag)) {
      this.note({ at: this.base + start, reason: `the tag ${tag.slice(0, 80)} was ignored` });
    }
    return tag;
  }
}
