/**
 * Keys of one screen or drawing: what they do, and which they are as delivered. All can be changed, as those of commands can.
 *
 * `KeyW` is a physical place, the same on every layout; the first key of an action is the one that is shown and changed, the others stay.
 * Keys that every list has (arrows, Home, End, Page, Enter, Space, Escape) are not among them where they only move in a list.
 */
import { type KeyPress, matchesKeys } from './keys.ts';

export interface LocalAction {
  /** Scope and name: what changed keys are kept by. No command has such an id. */
  readonly id: string;
  readonly title: string;
  readonly keys: readonly string[];
}

const scope = <Name extends string>(
  prefix: string,
  actions: Readonly<Record<Name, readonly [string, ...string[]]>>,
): Readonly<Record<Name, LocalAction>> => {
  const made = Object.entries<readonly [string, ...string[]]>(actions).map(([name, [title, ...keys]]) => [
    name,
    { id: `${prefix}-${name}`, title, keys },
  ]);
  return Object.fromEntries(made);
};

/** Title, then keys. */
export const LOCAL_KEYS = {
  timeline: scope('timeline', {
    'zoom-in': ['Zoom in', 'KeyW', '+', '='],
    'zoom-out': ['Zoom out', 'KeyS', '-'],
    'pan-left': ['Pan left', 'KeyA', 'ArrowLeft'],
    'pan-right': ['Pan right', 'KeyD', 'ArrowRight'],
    'page-left': ['A window to the left', 'Shift+KeyA', 'Shift+ArrowLeft'],
    'page-right': ['A window to the right', 'Shift+KeyD', 'Shift+ArrowRight'],
    'lane-up': ['Previous lane', 'ArrowUp'],
    'lane-down': ['Next lane', 'ArrowDown'],
    'section-up': ['Previous place', 'Mod+ArrowUp'],
    'section-down': ['Next place', 'Mod+ArrowDown'],
    'first-lane': ['First lane', 'Home'],
    'last-lane': ['Last lane', 'End'],
    'next-record': ['Next record', '.'],
    'previous-record': ['Previous record', ','],
    'next-related': ['The same call on the next lane', ']'],
    'previous-related': ['The same call on the previous lane', '['],
    centre: ['Centre the record; twice fits it', 'f', 'F'],
    'zoom-area': ['Fit the area', 'z'],
    whole: ['Whole case', '0'],
    range: ['Keep the area as the range', 'r'],
    mark: ['Set a mark', 'm'],
    'mark-area': ['Set a mark over the area', 'M'],
    'next-mark': ['Next mark', 'n'],
    'previous-mark': ['Previous mark', 'N'],
    'mark-earlier': ['Move the mark earlier', 'Mod+ArrowLeft'],
    'mark-later': ['Move the mark later', 'Mod+ArrowRight'],
    'mark-bit-earlier': ['Move the mark a bit earlier', 'Mod+Shift+ArrowLeft'],
    'mark-bit-later': ['Move the mark a bit later', 'Mod+Shift+ArrowRight'],
    'name-mark': ['Name the mark', 'F2'],
    'remove-mark': ['Remove the mark', 'Delete', 'Backspace'],
    pin: ['Pin the lane', 'p'],
    hide: ['Hide the lane', 'h'],
    'show-all': ['Show hidden lanes', 'H'],
    fold: ['Fold the place', 'x'],
    twin: ['Show as a table', 'v'],
    open: ['Open the record', 'Enter'],
    preview: ['Preview the record', ' '],
    clear: ['Clear the area or the mark', 'Escape'],
  }),
  logs: scope('logs', {
    'next-error': ['Next error', 'e'],
    'previous-error': ['Previous error', 'E'],
    'next-warning': ['Next warning', 'w'],
    'previous-warning': ['Previous warning', 'W'],
    'next-record': ['Next match', 'n', '.'],
    'previous-record': ['Previous match', 'N', ','],
    context: ['Lines around it', 'c'],
    'all-files': ['Lines around it, all files', 'C'],
    copy: ['Copy the line with its locator', 'x'],
    range: ['Keep the time as the range', 'r', 'R'],
  }),
  collectives: scope('collectives', {
    matrix: ['Show ranks as a picture', 'v', 'V'],
    'next-difference': ['Next difference', 'Alt+ArrowDown'],
    'previous-difference': ['Previous difference', 'Alt+ArrowUp'],
    split: ['Split the set of ranks', 'ArrowRight'],
    merge: ['Merge the set of ranks', 'ArrowLeft'],
    'next-set': ['Next set of ranks', ']', 'Shift+ArrowRight'],
    'previous-set': ['Previous set of ranks', '[', 'Shift+ArrowLeft'],
  }),
  compare: scope('compare', {
    'next-difference': ['Next difference', 'Alt+ArrowDown'],
    'previous-difference': ['Previous difference', 'Alt+ArrowUp'],
  }),
  ranks: scope('ranks', {
    twin: ['Map or table', 'v'],
    fault: ['To the moment of the fault', 'f'],
    earlier: ['A step earlier', ','],
    later: ['A step later', '.'],
  }),
  clocks: scope('clocks', { set: ['Set the offset of the clock', 's'] }),
} as const;

export type LocalScope = keyof typeof LOCAL_KEYS;
export type LocalName<S extends LocalScope> = keyof (typeof LOCAL_KEYS)[S] & string;

export const LOCAL_SCOPES: readonly { readonly scope: LocalScope; readonly title: string }[] = [
  { scope: 'timeline', title: 'Timeline' },
  { scope: 'logs', title: 'Logs' },
  { scope: 'collectives', title: 'Collectives' },
  { scope: 'compare', title: 'Compare' },
  { scope: 'ranks', title: 'Ranks' },
  { scope: 'clocks', title: 'Clocks' },
];

export type BoundKeys = Readonly<Record<string, readonly string[]>>;

/** The keys of an action now: what the user bound in place of the first, and the others as delivered. */
export const localKeysOf = ({ id, keys }: LocalAction, bound: BoundKeys): readonly string[] =>
  Object.hasOwn(bound, id) ? [...(bound[id] ?? []), ...keys.slice(1)] : keys;

/** A single character, with which one cannot write where it acts: those keys can be switched off together. */
export const isSingleKey = (spec: string): boolean =>
  spec !== ' ' && (spec.length === 1 || /^(?:Shift\+)?Key[A-Z]$/.test(spec));

interface Wanted {
  readonly bound: BoundKeys;
  readonly singleKeys: boolean;
  readonly mac: boolean;
}

/** What a press does in a scope; null = nothing of it. */
export function localAction<S extends LocalScope>(
  within: S,
  press: KeyPress,
  { bound, singleKeys, mac }: Wanted,
): LocalName<S> | null {
  const actions: Readonly<Record<string, LocalAction>> = LOCAL_KEYS[within];
  for (const [name, action] of Object.entries(actions)) {
    const keys = localKeysOf(action, bound);
    if (keys.some((spec) => (singleKeys || !isSingleKey(spec)) && matchesKeys(spec, press, mac)))
      // The names of the table are its own keys.
      return name as LocalName<S>;
  }
  return null;
}

/** Would a press of `a` also be one of `b`? A place and the letter that most layouts have there count as one. */
export const sameKeys = (a: string, b: string): boolean => plain(a) === plain(b);

const plain = (spec: string): string =>
  spec.replace(/^Key([A-Z])$/, (_, letter: string) => letter.toLowerCase()).replace(/^Shift\+Key([A-Z])$/, '$1');
