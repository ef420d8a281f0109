import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;

/** Where cases are kept: FIRSTFAULT_HOME, else the platform's folder for application data, as the window uses it. */
export function dataFolder(env: Environment, platform: string, home: string = homedir()): string {
  const chosen = env['FIRSTFAULT_HOME'];
  if (chosen !== undefined && chosen !== '') return resolve(chosen);
  switch (platform) {
    case 'darwin':
      return join(home, 'Library', 'Application Support', 'Firstfault');
    case 'win32':
      return join(env['APPDATA'] ?? join(home, 'AppData', 'Roaming'), 'Firstfault');
    default:
      return join(env['XDG_CONFIG_HOME'] || join(home, '.config'), 'Firstfault');
  }
}
