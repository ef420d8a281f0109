/** `pg_config` and `pg_status` of a dump: who is in which process group, and how far each group got. */
import { DICT, DIGITS, INT, LIST, STRING, TUPLE, type ValueArena } from '../../codecs/value-arena/index.ts';
import type { DumpGroup, DumpGroupStatus } from '../../model/flight-recorder.ts';

/** Ranks in one group, and in all groups of a dump together; chosen far above any job. */
const MAX_MEMBERS = 1_000_000;
const MAX_LISTED = 8_000_000;
const MAX_RANK = 10_000_000;

/**
 * Parses `[0, 1, 2]`: brackets, decimal numbers, commas and blanks, nothing else. Undefined for any other text,
 * for more than a million numbers and for numbers no rank can have. Never evaluated.
 */
export function parseRankList(text: string): readonly number[] | undefined {
  const trimmed = text.trim();
  if (!trimmed.startsWith('[') || !trimmed.endsWith(']')) return undefined;
  const ranks: number[] = [];
  let value = -1;
  let wanted = false;
  for (let i = 1; i < trimmed.length - 1; i++) {
    const code = trimmed.charCodeAt(i);
    if (code >= 48 && code <= 57) {
      if (value >= 0 && trimmed.charCodeAt(i - 1) === 32) return undefined;
      value = Math.max(value, 0) * 10 + code - 48;
      if (value > MAX_RANK) return undefined;
    } else if (code === 44) {
      if (value < 0 || ranks.length >= MAX_MEMBERS) return undefined;
      ranks.push(value);
      value = -1;
      wanted = true;
    } else if (code !== 32) return undefined;
  }
  if (value >= 0) ranks.push(value);
  else if (wanted) return undefined;
  return ranks;
}

const keyText = (arena: ValueArena, at: number): string | undefined => {
  const kind = arena.kindAt(at);
  if (kind === STRING) return arena.text(arena.numAt(at));
  return kind === INT ? String(arena.numAt(at)) : undefined;
};

function ranksAt(arena: ValueArena, at: number): readonly number[] | undefined {
  const text = arena.stringAt(at);
  if (text !== undefined) return parseRankList(text);
  const kind = arena.kindAt(at);
  if (kind !== LIST && kind !== TUPLE) return undefined;
  const ranks: number[] = [];
  let good = arena.count(arena.numAt(at)) <= MAX_MEMBERS;
  if (good) {
    arena.each(arena.numAt(at), (item) => {
      const rank = arena.intAt(item);
      if (rank === undefined || rank < 0 || rank > MAX_RANK) good = false;
      else ranks.push(rank);
      return good;
    });
  }
  return good ? ranks : undefined;
}

/** Reads `pg_config`; `problem` is called with a sentence for each group that could not be read in full. */
export function readGroups(arena: ValueArena, dict: number, problem: (detail: string) => void): DumpGroup[] {
  const groups: DumpGroup[] = [];
  let listed = 0;
  const within = (ranks: readonly number[] | undefined): readonly number[] | undefined => {
    listed += ranks?.length ?? 0;
    return listed > MAX_LISTED ? undefined : ranks;
  };
  arena.pairs(dict, (keyAt, valueAt) => {
    if (listed > MAX_LISTED) return;
    const key = keyText(arena, keyAt);
    if (key === undefined) return problem('pg_config has a key that is neither text nor a number');
    if (arena.kindAt(valueAt) !== DICT) {
      const ranks = within(ranksAt(arena, valueAt));
      if (ranks === undefined) problem(`pg_config[${key}] is no list of ranks`);
      groups.push({ key, name: key, desc: '', ranks: ranks ?? [] });
      return;
    }
    let name = key;
    let desc = '';
    let ranks: readonly number[] | undefined;
    arena.pairs(arena.numAt(valueAt), (fieldAt, at) => {
      const field = arena.stringAt(fieldAt);
      if (field === 'name') name = arena.stringAt(at) ?? key;
      else if (field === 'desc') desc = arena.stringAt(at) ?? '';
      else if (field === 'ranks') ranks = within(ranksAt(arena, at));
    });
    if (ranks === undefined) problem(`pg_config[${key}] has no readable ranks`);
    groups.push({ key, name, desc, ranks: ranks ?? [] });
  });
  return groups;
}

const countAt = (arena: ValueArena, at: number): number | undefined => {
  const whole = arena.intAt(at);
  if (whole !== undefined) return whole;
  const text = arena.kindAt(at) === DIGITS ? undefined : arena.stringAt(at);
  return text !== undefined && /^-?\d{1,15}$/.test(text) ? Number(text) : undefined;
};

/** Reads `pg_status`; numbers may be decimal text (JSON). A group with a wrong type is left out and told to `problem`. */
export function readStatus(arena: ValueArena, dict: number, problem: (detail: string) => void): DumpGroupStatus[] {
  const rows: DumpGroupStatus[] = [];
  arena.pairs(dict, (keyAt, valueAt) => {
    const pgId = keyText(arena, keyAt);
    if (pgId === undefined || arena.kindAt(valueAt) !== DICT) return problem('pg_status has a row that is no table');
    let lastEnqueued: number | undefined;
    let lastStarted = -1;
    let lastCompleted: number | undefined;
    arena.pairs(arena.numAt(valueAt), (fieldAt, at) => {
      const field = arena.stringAt(fieldAt);
      if (field === 'last_enqueued_collective') lastEnqueued = countAt(arena, at);
      else if (field === 'last_started_collective') lastStarted = countAt(arena, at) ?? -1;
      else if (field === 'last_completed_collective') lastCompleted = countAt(arena, at);
    });
    if (lastEnqueued === undefined || lastCompleted === undefined)
      return problem(`pg_status[${pgId}] lacks its counters`);
    rows.push({ pgId, lastEnqueued, lastStarted, lastCompleted });
  });
  return rows;
}
