/** The chain of waiting at the left: groups from the cause down, those that agree folded below. */
import { formatCount, plural } from '#shared/text/format.ts';
import type { ChainLink, JobAnswer } from '#shared/views/collectives/answers.ts';
import type { JobStory } from '#shared/views/collectives/types.ts';
import { escapeText } from '../escape-text.ts';
import { rankLabel } from '../ranks-text.ts';
import { groupName, kindName } from './groups.ts';

export interface ChainRow {
  readonly key: string;
  readonly glyph: 'first' | 'waiting' | 'ring' | 'differs' | 'completed' | 'missing';
  readonly title: string;
  readonly count: string;
  readonly sub: string;
  /** Opened by the row. */
  readonly group: string;
  readonly seq: number | null;
  /** Continues the line from the row above. */
  readonly joined: boolean;
  readonly weak: boolean;
}

export interface ChainModel {
  readonly head: string;
  readonly note: string;
  readonly chain: readonly ChainRow[];
  readonly agreeing: readonly ChainRow[];
  readonly blind: readonly ChainRow[];
  /** Why the roots are roots. */
  readonly why: readonly {
    readonly key: string;
    readonly ranks: string;
    readonly text: string;
    readonly whole: string;
  }[];
}

const MAX_BLIND = 6;
const MAX_WHY = 4;

export function chainModel(answer: JobAnswer): ChainModel {
  const open = answer.groups.filter((group) => group.waiting > 0).length;
  return {
    head: 'Who waits for whom',
    note: `${plural(answer.groupsTotal, 'group')}, ${open === 0 ? 'none' : formatCount(open)} with an open call`,
    chain: answer.story.chain.map((link, i) => chainRow(answer, link, i)),
    agreeing: answer.agreeing.map((one) => {
      const kind = answer.kinds[one.kind];
      const first = answer.groups.find((group) => group.id === one.opens);
      const alone = one.groups === 1 ? groupName(one.opens, kind, first?.desc ?? '') : '';
      return {
        key: `agree ${one.kind}`,
        glyph: 'completed',
        title:
          alone !== ''
            ? alone
            : `${kindName(kind)}, ${formatCount(one.groups)}${hasLinks(answer, one.kind) ? ' more' : ''}`,
        count: plural(one.dumps, 'dump'),
        sub: one.at === undefined ? (one.groups === 1 ? 'agrees' : 'each agrees within itself') : `all at #${one.at}`,
        group: one.opens,
        seq: null,
        joined: false,
        weak: false,
      };
    }),
    blind: answer.blind.slice(0, MAX_BLIND).map((one) => ({
      key: `blind ${one.group}`,
      glyph: 'missing',
      title: groupName(one.group, kindOf(answer, one.group), descOf(answer, one.group)),
      count: one.node === undefined ? '' : escapeText(one.node),
      sub: `none of its ${formatCount(one.size)} ranks has a dump`,
      group: one.group,
      seq: null,
      joined: false,
      weak: false,
    })),
    why: foldWhy(answer.story.roots),
  };
}

const headOf = (answer: JobAnswer, id: string) => answer.groups.find((group) => group.id === id);
const descOf = (answer: JobAnswer, id: string): string => headOf(answer, id)?.desc ?? '';
const kindOf = (answer: JobAnswer, id: string) => answer.kinds[headOf(answer, id)?.kind ?? -1];
const hasLinks = (answer: JobAnswer, kind: number): boolean => answer.story.chain.some((link) => link.kind === kind);

function chainRow(answer: JobAnswer, link: ChainLink, index: number): ChainRow {
  const { story } = answer;
  const first = index === 0 && link.awaited.some((rank) => story.firstRanks.includes(rank));
  const differs =
    story.first !== undefined && link.groups.includes(story.first.group) ? story.first.divergence.kind : undefined;
  const opens = link.groups.find((id) => id === story.first?.group) ?? link.groups[0] ?? '';
  return {
    key: `link ${index}`,
    glyph: first
      ? 'first'
      : link.ring
        ? 'ring'
        : differs === 'op' || differs === 'size' || differs === 'dtype'
          ? 'differs'
          : 'waiting',
    title: linkTitle(answer, link),
    count: `${formatCount(link.waiting.length)} of ${formatCount(link.members)} ${link.waiting.length === 1 ? 'waits' : 'wait'}`,
    sub: linkSub(answer, link),
    group: opens,
    seq: link.seq ?? null,
    joined: link.level > 0,
    weak: link.basis === 'log',
  };
}

function linkTitle(answer: JobAnswer, link: ChainLink): string {
  const kind = answer.kinds[link.kind];
  const name = (id: string | undefined): string => groupName(id ?? '', kind, descOf(answer, id ?? ''));
  const [first] = link.groups;
  if (link.groups.length === 1) return name(first);
  if (link.groups.length === 2) return `${name(first)}, ${name(link.groups[1])}`;
  return `${kindName(kind)}, ${formatCount(link.groups.length)} groups`;
}

function linkSub(answer: JobAnswer, link: ChainLink): string {
  const by = link.basis === 'log' ? ', from log lines' : '';
  if (link.ring) return `for each other: nothing leads out${by}`;
  if (link.awaited.length === 0)
    return answer.story.allJoined !== undefined && link.groups.includes(answer.story.allJoined.group)
      ? `everybody has joined ${escapeText(answer.story.allJoined.op)} #${answer.story.allJoined.seq}`
      : `no side has a majority${by}`;
  const whom = rankLabel(link.awaited);
  const [behind] = link.behind;
  const stands = behind === undefined ? undefined : answer.story.chain[behind];
  if (stands === undefined) return `for ${whom}${by}`;
  const where = linkTitle(answer, stands);
  return `for ${whom}, which ${link.awaited.length === 1 ? 'stands' : 'stand'} in ${where}${link.behind.length > 1 ? ' and others' : ''}${by}`;
}

const RULE_WORDS: ReadonlyMap<string, string> = new Map([
  ['deviant', 'made another call than the majority'],
  ['order', 'left out or added an operation between two calls'],
  ['stuck', 'enqueued a call and did not finish it, while peers did'],
  ['behind', 'never enqueued the call in which the others wait, and waits for nobody'],
  ['no-dump', 'left no dump, while every member with one stands in the call'],
]);

/** Of a rank: `never enqueued the call …`. */
export const ruleWords = (how: string | undefined): string =>
  RULE_WORDS.get(how ?? '') ?? 'is behind by lines of the log';

/** One line a rule; the whole argument stands in the tooltip. */
function foldWhy(roots: JobStory['roots']): ChainModel['why'] {
  const folded = new Map<string, { ranks: number[]; whole: string }>();
  for (const { rank, why, how } of roots) {
    const rule = ruleWords(how);
    const known = folded.get(rule);
    if (known === undefined) folded.set(rule, { ranks: [rank], whole: why });
    else known.ranks.push(rank);
  }
  return [...folded].slice(0, MAX_WHY).map(([rule, { ranks, whole }]) => ({
    key: rule,
    ranks: rankLabel(ranks, 'start'),
    text: rule,
    whole: escapeText(whole),
  }));
}
