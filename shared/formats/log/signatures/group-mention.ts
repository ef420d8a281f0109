/** How c10d lines name the group and the printer's rank in it. */
import type { GroupMention } from '../../../model/events.ts';
import { num, type Printer } from './define.ts';

const BY_ID = /\[PG ID (\S{1,40}) PG GUID ([^\s()]{1,120})(?:\(([^()]{0,160})\))? Rank (\d{1,7})\]/;
const BY_NAME = /\[PG ([^\s\]]{1,120})(?: ?\(([^()]{0,160})\))? Rank (\d{1,7})\]/;
const WORK_RANK = /\[Rank (\d{1,7})\]/;

/**
 * `[PG ID 2 PG GUID 3(tp) Rank 1]` (2.5+), `[PG 3 (tp) Rank 1]` (2.2 to 2.4); undefined if no group is named. A group
 * known by name only has that name as `guid`.
 */
export function readGroup(text: string): GroupMention | undefined {
  const byId = BY_ID.exec(text);
  if (byId !== null) return { id: byId[1], guid: byId[2], desc: byId[3], rank: num(byId[4]) };
  const byName = BY_NAME.exec(text);
  return byName === null ? undefined : { id: undefined, guid: byName[1], desc: byName[2], rank: num(byName[3]) };
}

const isDefault = (group: GroupMention): boolean =>
  group.desc === 'default_pg' || (group.guid === '0' && group.desc === undefined);

/**
 * The printer's rank as the line itself gives it: global if the group spans the job, else only a rank in SOME group.
 * `[Rank r]` alone is the weakest: from 2.4 on it is fixed by the first work that the process logged.
 */
export function printerOf(text: string, group: GroupMention | undefined): Printer {
  if (group?.rank !== undefined) return { rank: group.rank, basis: isDefault(group) ? 'default-pg' : 'work-prefix' };
  const rank = num(WORK_RANK.exec(text)?.[1]);
  return rank === undefined ? {} : { rank, basis: 'work-prefix' };
}
