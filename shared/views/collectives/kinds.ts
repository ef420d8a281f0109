/**
 * What a group is for, from what its program called it; where it says nothing, from the shape of the member sets.
 *
 *   TENSOR_MODEL_PARALLEL_GROUP, tp_4, mesh_tp → tp        "undefined", 8 consecutive ranks → 8 consecutive ranks
 *
 * A name is the program's word and no proof; nothing is concluded from it, groups are only folded by it.
 */

/** Purposes by whole words of the description; a group may have several: `TENSOR_AND_DATA_PARALLEL_GROUP` is tp+dp. */
const PURPOSES: readonly (readonly [kind: string, words: readonly string[]])[] = [
  ['embedding', ['embedding', 'embeddings', 'embd']],
  ['ep', ['ep', 'expert', 'experts', 'moe']],
  ['tp', ['tp', 'tensor']],
  ['cp', ['cp', 'context']],
  ['sp', ['sp', 'sequence', 'ulysses']],
  ['pp', ['pp', 'pipe', 'pipeline']],
  ['fsdp', ['fsdp', 'shard', 'sharded']],
  ['dp', ['dp', 'ddp', 'data', 'replicate', 'replicas']],
  ['optimizer', ['optimizer']],
];

/** Characters of a description that are looked at. */
const MAX_READ = 200;
/** Longest description that is a kind of its own. */
const MAX_OWN_NAME = 24;

export interface KindInput {
  readonly id: string;
  readonly desc: string;
  readonly isDefault: boolean;
  readonly ranks: readonly number[];
  readonly p2p: boolean;
}

export interface KindName {
  readonly name: string;
  readonly basis: 'default' | 'description' | 'shape';
}

export function kindOf(group: KindInput): KindName {
  if (group.isDefault) return { name: 'default', basis: 'default' };
  for (const text of [group.desc, group.id]) {
    // `…_WITH_CP` names the ranks that are folded in, not what the group is for.
    const lower = text
      .slice(0, MAX_READ)
      .toLowerCase()
      .replace(/_with_cp$/, '');
    const words = new Set(lower.split(/[^a-z]+/));
    const found = PURPOSES.filter(([, known]) => known.some((word) => words.has(word))).map(([kind]) => kind);
    if (found.length > 0) return { name: found.join('+'), basis: 'description' };
  }
  const own = group.desc.replace(/[\d[\],…#]+/g, ' ').trim();
  if (own !== '' && own.toLowerCase() !== 'undefined' && own.length <= MAX_OWN_NAME)
    return { name: own.replace(/[_\-.:/ ]+$/, ''), basis: 'description' };
  return { name: shapeOf(group), basis: 'shape' };
}

function shapeOf({ ranks, p2p }: KindInput): string {
  const sorted = [...ranks].sort((a, b) => a - b);
  const [first, second] = sorted;
  const tail = p2p ? ', point to point' : '';
  if (first === undefined || second === undefined) return `groups of ${sorted.length}${tail}`;
  const stride = second - first;
  const even = sorted.every((rank, i) => i === 0 || rank - (sorted[i - 1] ?? rank) === stride);
  if (!even) return `groups of ${sorted.length}${tail}`;
  return stride === 1
    ? `groups of ${sorted.length} consecutive${tail}`
    : `groups of ${sorted.length}, every ${ordinal(stride)}${tail}`;
}

const ordinal = (n: number): string =>
  n % 100 >= 11 && n % 100 <= 13 ? `${n}th` : `${n}${['th', 'st', 'nd', 'rd'][n % 10] ?? 'th'}`;
