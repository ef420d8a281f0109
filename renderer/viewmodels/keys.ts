/** Key combinations: how they are written, matched and shown. `Mod` is Ctrl, on macOS Cmd. */
export interface KeyPress {
  readonly key: string;
  readonly code: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly shiftKey: boolean;
  readonly altKey: boolean;
}

/** Modifiers, then the key, which may be `+` itself. */
const partsOf = (spec: string): string[] => spec.split(/\+(?!$)/);

/** `Mod+Shift+P`, `Alt+ArrowLeft`, `?`, `KeyW` by its place. A single character without modifiers matches whatever Shift produced it. */
export function matchesKeys(spec: string, press: KeyPress, mac: boolean): boolean {
  const parts = partsOf(spec);
  const key = parts.at(-1) ?? '';
  const wants = (name: string) => parts.slice(0, -1).includes(name);
  const mod = mac ? press.metaKey : press.ctrlKey;
  const other = mac ? press.ctrlKey : press.metaKey;
  if (mod !== wants('Mod') || other || press.altKey !== wants('Alt')) return false;
  if (key.length === 1 && !wants('Mod') && !wants('Alt')) return press.key === key;
  if (press.shiftKey !== wants('Shift')) return false;
  if (/^Key[A-Z]$/.test(key)) return press.code === key;
  if (/^\d$/.test(key)) return press.code === `Digit${key}` || press.key === key;
  return press.key.toLowerCase() === key.toLowerCase();
}

const MODIFIERS: ReadonlySet<string> = new Set(['Control', 'Shift', 'Alt', 'AltGraph', 'Meta', 'CapsLock', 'Dead']);

/** How a press would be written; null for a modifier alone, and for what cannot be told apart on all platforms. */
export function specOf(press: KeyPress, mac: boolean): string | null {
  const { key, code, altKey, shiftKey } = press;
  const mod = mac ? press.metaKey : press.ctrlKey;
  if (MODIFIERS.has(key) || key === 'Unidentified' || (mac ? press.ctrlKey : press.metaKey)) return null;
  const plain = key.length === 1 && !mod && !altKey;
  if (plain) return key === ' ' ? null : key;
  const digit = /^Digit(\d)$/.exec(code)?.[1];
  const name = digit ?? (key.length === 1 ? key.toUpperCase() : key);
  return [mod ? 'Mod' : '', altKey ? 'Alt' : '', shiftKey ? 'Shift' : '', name].filter((part) => part !== '').join('+');
}

const SHOWN: Readonly<Record<string, string>> = {
  Mod: 'Ctrl',
  ArrowLeft: '←',
  ArrowRight: '→',
  ArrowUp: '↑',
  ArrowDown: '↓',
  Enter: '↵',
  Escape: 'Esc',
  Delete: 'Del',
  ' ': 'Space',
};
const SHOWN_MAC: Readonly<Record<string, string>> = { ...SHOWN, Mod: '⌘', Shift: '⇧', Alt: '⌥' };

/** `Ctrl K`, on macOS `⌘K`. */
export function shownKeys(spec: string, mac: boolean): string {
  const parts = partsOf(spec);
  const words = mac ? SHOWN_MAC : SHOWN;
  // A capital letter is typed with Shift; elsewhere letters are written as the keys have them.
  const shifted = parts.length === 1 && /^[A-Z]$/.test(parts[0] ?? '') ? [words['Shift'] ?? 'Shift'] : [];
  const named = parts.map((part) => words[part] ?? (part.length === 1 ? part.toUpperCase() : part.replace(/^Key/, '')));
  return [...shifted, ...named].join(mac ? '' : ' ');
}
