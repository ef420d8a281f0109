import { styleText } from 'node:util';

export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';

export interface Paint {
  readonly colour: boolean;
  /** `text` in these styles, or as it is where colour is off. */
  (styles: readonly Style[], text: string): string;
}

interface OutputStream {
  readonly isTTY?: boolean;
}
type Environment = Readonly<Record<string, string | undefined>>;

/** FORCE_COLOR (other than 0 or false) wins, then NO_COLOR (any value), then whether the stream is a terminal that is not dumb. */
export function wantsColour(stream: OutputStream, env: Environment): boolean {
  const forced = env['FORCE_COLOR'];
  if (forced !== undefined) return forced !== '0' && forced !== 'false';
  if (env['NO_COLOR'] !== undefined && env['NO_COLOR'] !== '') return false;
  return stream.isTTY === true && env['TERM'] !== 'dumb';
}

export function createPaint(colour: boolean): Paint {
  const paint = (styles: readonly Style[], text: string): string =>
    colour && text !== '' ? styleText([...styles], text, { validateStream: false }) : text;
  return Object.assign(paint, { colour });
}

/** True unless the locale says that the terminal cannot show it. */
export function showsUnicode(env: Environment, platform: string): boolean {
  if (env['TERM'] === 'linux') return false;
  if (platform === 'win32') return true;
  const locale = env['LC_ALL'] || env['LC_CTYPE'] || env['LANG'];
  return locale === undefined || locale === '' || /utf-?8/i.test(locale);
}
