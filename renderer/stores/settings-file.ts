/** Settings as text that can be carried to another machine. What comes back is checked field by field; unknown fields are left out. */
import { useKeyBindings } from './key-bindings.ts';
import { DENSITIES, TEXT_SCALES, THEMES, usePreferences, ZONES } from './preferences.ts';

const SCHEMA = 'firstfault-settings/1';

type Values = Pick<
  ReturnType<typeof usePreferences.getState>,
  'theme' | 'density' | 'textScale' | 'singleKeys' | 'zone' | 'inspectorWidth'
> & { readonly keys: Readonly<Record<string, readonly string[]>> };

const NAMES: Readonly<Record<keyof Values, string>> = {
  theme: 'Theme',
  density: 'Rows',
  textScale: 'Text size',
  singleKeys: 'Single-letter keys',
  zone: 'Zone of times',
  inspectorWidth: 'Width of the inspector',
  keys: 'Keys of commands',
};

const present = (): Values => {
  const { theme, density, textScale, singleKeys, zone, inspectorWidth } = usePreferences.getState();
  return { theme, density, textScale, singleKeys, zone, inspectorWidth, keys: useKeyBindings.getState().keys };
};

export const writeSettings = (): string => `${JSON.stringify({ schema: SCHEMA, ...present() }, null, 2)}\n`;

export interface SettingsChange {
  readonly name: string;
  readonly from: string;
  readonly to: string;
}

export interface ReadSettings {
  readonly changes: readonly SettingsChange[];
  /** Fields of the file that this version does not know or whose value it does not accept. */
  readonly leftOut: readonly string[];
  readonly values: Partial<Values>;
}

/** Null if the text is no settings file of this program. */
export function readSettings(text: string): ReadSettings | null {
  let file: unknown;
  try {
    file = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof file !== 'object' || file === null || !('schema' in file) || file.schema !== SCHEMA) return null;
  const given = new Map(Object.entries(file).filter(([name]) => name !== 'schema'));
  const values = accepted(given);
  const now = present();
  const keys = Object.keys(NAMES).filter((key): key is keyof Values => Object.hasOwn(values, key));
  return {
    values,
    changes: keys
      .filter((key) => JSON.stringify(values[key]) !== JSON.stringify(now[key]))
      .map((key) => ({ name: NAMES[key], from: shown(now[key]), to: shown(values[key]) })),
    leftOut: [...given.keys()].filter((name) => !Object.hasOwn(values, name)),
  };
}

function accepted(given: ReadonlyMap<string, unknown>): Partial<Values> {
  const oneOf = <T>(list: readonly T[], name: string): T | undefined => list.find((item) => item === given.get(name));
  const theme = oneOf(THEMES, 'theme');
  const density = oneOf(DENSITIES, 'density');
  const textScale = oneOf(TEXT_SCALES, 'textScale');
  const zone = oneOf(ZONES, 'zone');
  const singleKeys = given.get('singleKeys');
  const width = given.get('inspectorWidth');
  const keys = boundKeys(given.get('keys'));
  return {
    ...(theme === undefined ? {} : { theme }),
    ...(density === undefined ? {} : { density }),
    ...(textScale === undefined ? {} : { textScale }),
    ...(zone === undefined ? {} : { zone }),
    ...(typeof singleKeys === 'boolean' ? { singleKeys } : {}),
    ...(typeof width === 'number' && width >= 320 && width <= 560 ? { inspectorWidth: width } : {}),
    ...(keys === null ? {} : { keys }),
  };
}

const MAX_BOUND = 200;

/** Null unless it is commands with short lists of keys. */
function boundKeys(value: unknown): Values['keys'] | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  const pairs = Object.entries(value);
  const isKeys = (keys: unknown): keys is string[] =>
    Array.isArray(keys) && keys.length <= 4 && keys.every((key) => typeof key === 'string' && key.length <= 40);
  if (pairs.length > MAX_BOUND || !pairs.every(([id, keys]) => /^[a-z0-9-]{1,60}$/.test(id) && isKeys(keys)))
    return null;
  return Object.fromEntries(pairs.filter((pair): pair is [string, string[]] => isKeys(pair[1])));
}

function shown(value: unknown): string {
  if (typeof value === 'object' && value !== null) {
    const count = Object.keys(value).length;
    return count === 0 ? 'as delivered' : `${count} changed`;
  }
  return value === true ? 'on' : value === false ? 'off' : String(value).replace('-', ' ');
}

export function applySettings(values: Partial<Values>): void {
  const { keys, ...others } = values;
  usePreferences.setState(others);
  if (keys !== undefined) useKeyBindings.setState({ keys });
}
