/** Names of groups and kinds as the screen writes them. Names are the program's own and are escaped. */
import { formatCount, plural } from '#shared/text/format.ts';
import type { GroupHead } from '#shared/views/collectives/answers.ts';
import type { GroupKind } from '#shared/views/collectives/types.ts';
import { escapeText } from '../escape-text.ts';

const MAX_NAME = 40;
const cut = (text: string): string => (text.length > MAX_NAME ? `${text.slice(0, MAX_NAME - 1)}…` : text);

/** `default_pg`, `tp 41`, `tp_4`: a bare number says nothing without its kind. */
export function groupName(id: string, kind: GroupKind | undefined, desc: string): string {
  if (kind?.basis === 'default') return cut(escapeText(desc === '' || desc === 'undefined' ? 'default_pg' : desc));
  const bare = /^\d+(?:\[|#|$)/.test(id);
  return cut(escapeText(bare && kind !== undefined ? `${kind.basis === 'shape' ? 'group' : kind.name} ${id}` : id));
}

/** Below the name of a kind: `64 groups of 8 ranks`. */
export function kindNote(kind: GroupKind, groups: number): string {
  const size = kind.size === undefined ? 'of several sizes' : `of ${plural(kind.size, 'rank')}`;
  const by = kind.basis === 'shape' ? ', told by shape' : '';
  return `${plural(groups, 'group')} ${size}${by}`;
}

export const kindName = (kind: GroupKind | undefined): string => cut(escapeText(kind?.name ?? 'group'));

/** `tp 41, 8 ranks`. */
export function pickerLabel(head: GroupHead, kinds: readonly GroupKind[]): string {
  return `${groupName(head.id, kinds[head.kind], head.desc)}, ${plural(head.size, 'rank')}`;
}

/** `of 225`: where the list of groups was cut. */
export const ofAll = (shown: number, total: number): string =>
  shown < total ? `${formatCount(shown)} of ${formatCount(total)}` : formatCount(total);
