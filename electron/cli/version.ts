import manifest from '../../package.json' with { type: 'json' };

/** Of this program, as the report and the cases name it. */
export const VERSION: string = manifest.version;
