/** YAML as `kubectl get -o yaml` prints it: keys sorted, lists not indented, strings quoted only where they must be. */
export type YamlValue =
  | string
  | number
  | boolean
  | null
  | readonly YamlValue[]
  | { readonly [key: string]: YamlValue | undefined };

export const formatYaml = (value: YamlValue): string => `${lines(value).join('\n')}\n`;

function lines(value: YamlValue): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => nest(item as YamlValue));
  if (typeof value !== 'object' || value === null) return [scalar(value as string | number | boolean | null)];
  const record = value as { readonly [key: string]: YamlValue | undefined };
  return Object.keys(record)
    .sort()
    .flatMap((key) => entry(key, record[key]));
}

function entry(key: string, value: YamlValue | undefined): string[] {
  if (value === undefined) return [];
  const head = scalar(key);
  if (isEmpty(value)) return [`${head}: ${Array.isArray(value) ? '[]' : '{}'}`];
  if (Array.isArray(value)) return [`${head}:`, ...lines(value)];
  if (typeof value === 'object' && value !== null) return [`${head}:`, ...lines(value).map((line) => `  ${line}`)];
  return [`${head}: ${scalar(value as string)}`];
}

function nest(item: YamlValue): string[] {
  if (typeof item !== 'object' || item === null) return [`- ${scalar(item)}`];
  return lines(item).map((line, i) => (i === 0 ? `- ${line}` : `  ${line}`));
}

const isEmpty = (value: YamlValue): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0;

/** What YAML 1.1 would read as something else than a string gets quotes. */
const AMBIGUOUS =
  /^(?:[-+]?[0-9][0-9_]*(?:\.[0-9]*)?(?:e[-+]?[0-9]+)?|true|false|yes|no|on|off|null|~|)$|^\d{4}-\d{2}-\d{2}/i;
const UNSAFE_START = /^(?:[-?:] |[,[\]{}#&*!|>'"%@` ])/;

function scalar(value: string | number | boolean | null): string {
  if (typeof value !== 'string') return String(value);
  if (AMBIGUOUS.test(value)) return JSON.stringify(value);
  if (
    UNSAFE_START.test(value) ||
    value.includes(': ') ||
    value.includes(' #') ||
    value.endsWith(':') ||
    value.endsWith(' ')
  )
    return `'${value.replace(/'/g, "''")}'`;
  return value;
}
