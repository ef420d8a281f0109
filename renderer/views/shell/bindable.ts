/** Everything that a key can be bound to, and who holds a key now. */
import { keysOf } from '../../stores/key-bindings.ts';
import {
  type BoundKeys,
  LOCAL_KEYS,
  LOCAL_SCOPES,
  type LocalAction,
  type LocalScope,
  localKeysOf,
  sameKeys,
} from '../../viewmodels/local-keys.ts';
import { COMMANDS } from './commands.ts';

export interface Bindable extends LocalAction {
  /** Null: a command, which answers everywhere. */
  readonly scope: LocalScope | null;
}

export function localItems(scope: LocalScope): readonly Bindable[] {
  const actions: Readonly<Record<string, LocalAction>> = LOCAL_KEYS[scope];
  return Object.values(actions).map((action) => ({ ...action, scope }));
}

/** Commands first; only those that came with a key are among them. */
export const allBindable = (): readonly Bindable[] => [
  ...COMMANDS.map(({ id, title, keys }) => ({ id, title, keys, scope: null })),
  ...LOCAL_SCOPES.flatMap(({ scope }) => localItems(scope)),
];

export const presentKeys = (item: Bindable, bound: BoundKeys): readonly string[] =>
  item.scope === null ? keysOf(item, bound) : localKeysOf(item, bound);

/**
 * What else answers to a key where `item` acts; null = the key is free there. A key of one screen and one of another may be the same; a key
 * of a command may be none of a screen's, which would hide it.
 */
export function holderOf(spec: string, item: Bindable, bound: BoundKeys): Bindable | null {
  const meets = (other: Bindable): boolean =>
    other.id !== item.id && (other.scope === null || item.scope === null || other.scope === item.scope);
  return (
    allBindable().find((other) => meets(other) && presentKeys(other, bound).some((key) => sameKeys(key, spec))) ?? null
  );
}
