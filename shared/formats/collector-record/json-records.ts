/** What collectors write about themselves and the cluster as JSON. */
import { type DocValue, isList, isMap, listAt, textAt, valueAt } from '../../codecs/document-tree.ts';
import { type CollectorRecord, type Said, said } from './define.ts';

const MAX_QUOTED = 3;

/** Values of all texts in a tree of errors: a map of name → text, a list of texts, or both nested. */
function textsIn(value: DocValue, into: string[] = []): readonly string[] {
  if (into.length > 100) return into;
  if (typeof value === 'string') into.push(value);
  else if (isList(value)) for (const item of value.items) textsIn(item, into);
  else if (isMap(value)) {
    for (const [key, item] of value.entries) {
      if (typeof item === 'string') into.push(`${key}: ${item}`);
      else textsIn(item, into);
    }
  }
  return into;
}

const quoted = (texts: readonly string[]): string =>
  texts
    .slice(0, MAX_QUOTED)
    .map((text) => text.slice(0, 200))
    .join('; ') + (texts.length > MAX_QUOTED ? `; and ${texts.length - MAX_QUOTED} more` : '');

function readErrors(value: DocValue): Said {
  const texts = textsIn(value);
  return texts.length === 0 ? said('no error was met while collecting') : { notCollected: quoted(texts), summary: '' };
}

function readAnalysis(value: DocValue): Said {
  const results = isList(value) ? value.items : [];
  const bad = results.filter((item) => /^(?:warn|error|fail)/i.test(textAt(item, 'severity') ?? ''));
  const words = bad.map((item) => {
    const detail = textAt(item, 'insight', 'detail');
    return `${textAt(item, 'insight', 'primary') ?? textAt(item, 'name') ?? ''}${detail ? ` (${detail})` : ''}`;
  });
  const count = `${results.length} ${results.length === 1 ? 'check' : 'checks'} of the collector`;
  return said(words.length === 0 ? `${count}, none with a warning` : `${count}: ${quoted(words)}`);
}

function readVersion(value: DocValue): Said {
  const version =
    textAt(value, 'serverVersion', 'gitVersion') ?? textAt(value, 'info', 'gitVersion') ?? textAt(value, 'gitVersion');
  return said(version === undefined ? 'no version of the server' : `Kubernetes ${version}`);
}

function readCommand(value: DocValue): Said {
  const code = textAt(value, 'exitCode') ?? '';
  const error = textAt(value, 'error') ?? '';
  const command = textAt(value, 'command') ?? '';
  if ((code === '0' || code === '') && error === '') return said(`${command} ended well`);
  return {
    notCollected: `${command} ended with ${code}${error === '' ? '' : `: ${error.slice(0, 200)}`}`,
    summary: '',
  };
}

function readClock(value: DocValue): Said {
  const synchronised = textAt(value, 'ntp_synchronized');
  const zone = textAt(value, 'timezone') ?? 'unknown';
  const claim =
    synchronised === 'true' ? 'said to be synchronised' : synchronised === 'false' ? 'not said to be synchronised' : '';
  return said(`zone ${zone}${claim === '' ? '' : `, clock ${claim}`}`);
}

/** More particular ones first. */
export const JSON_RECORDS: readonly CollectorRecord[] = [
  {
    title: 'checks of a support bundle',
    content: [/^\s{0,40}\[/, /"insight"\s{0,4}:/, /"severity"\s{0,4}:/],
    read: ({ json }) => readAnalysis(json ?? null),
  },
  {
    title: 'version of the cluster',
    content: [/^\s{0,40}\{/, /"gitVersion"\s{0,4}:/, /"(?:platform|string|kustomizeVersion)"\s{0,4}:/],
    read: ({ json }) => readVersion(json ?? null),
  },
  {
    title: 'how a command on a host ended',
    content: [
      /^\s{0,40}\{\s{0,40}"(?:command|error|exitCode)"\s{0,4}:/,
      /"command"\s{0,4}:/,
      /"exitCode"\s{0,4}:\s{0,4}"/,
    ],
    read: ({ json }) => readCommand(json ?? null),
  },
  {
    title: "state of a host's clock",
    content: [/^\s{0,40}\{/, /"timezone"\s{0,4}:/, /"ntp_synchronized"\s{0,4}:/],
    read: ({ json }) => readClock(json ?? null),
  },
  {
    title: 'errors while collecting',
    name: /-errors\.json$/,
    content: [/^\s{0,40}(?:[{[]|null)/],
    read: ({ json }) => readErrors(json ?? null),
  },
  {
    title: 'facts of a host',
    name: /(?:^|\/)host-collectors\/[^/]{1,60}\/[^/]{1,60}\.json$/,
    content: [/^\s{0,40}[{[]/],
    read: ({ json }) =>
      said(`${isMap(json) ? json.entries.size : listAt(valueAt(json) ?? null).length} values, not used`),
  },
];
