import { defineSignature } from './define.ts';

const NOTES: readonly RegExp[] = [
  /^Error from server(?: \([A-Za-z]{1,40}\))?: /,
  /^error: (?:unable to retrieve container logs|container |a container name must be|you are attempting to follow|timed out waiting for|no such|stat |open |cannot get|an error occurred|error executing|You must be logged in)/i,
  /^unable to retrieve container logs for /,
  /^failed to try resolving symlinks in path /,
  /^Defaulted container "[^"]{1,200}" out of: /,
  /^Found \d{1,6} pods, using pod\//,
  /^container "[^"]{1,200}" in pod "[^"]{1,260}" is (?:waiting to start|not available|terminated)/,
  /^rpc error: code = \w{1,40} desc = /,
  /^The connection to the server \S{1,200} was refused/,
  /^(?:Create log request error|Request log error): /,
  /^(?:No resources found|Unable to connect to the server: )/,
];

/** What kubectl or a collector wrote in place of a log, or between its lines. Not the program's words. */
export default defineSignature({
  id: 'collector-note',
  literals: [
    'Error from server',
    'rror: ',
    'unable to retrieve container logs',
    'failed to try resolving symlinks',
    'Defaulted container "',
    ' pods, using pod/',
    'container "',
    'The connection to the server',
    'No resources found',
    'Unable to connect to the server',
    'log request error: ',
    'Request log error: ',
  ],
  match: ({ text }) =>
    NOTES.some((note) => note.test(text)) ? { body: { kind: 'collector-note', text: text.slice(0, 400) } } : undefined,
  samples: [
    {
      text: 'Error from server (BadRequest): previous terminated container "pytorch" in pod "osprey-dp-worker-1" not found',
      expect: {
        kind: 'collector-note',
        text: 'Error from server (BadRequest): previous terminated container "pytorch" in pod "osprey-dp-worker-1" not found',
      },
    },
    {
      text: 'container "pytorch" in pod "osprey-dp-worker-1" is waiting to start: PodInitializing',
      expect: {
        kind: 'collector-note',
        text: 'container "pytorch" in pod "osprey-dp-worker-1" is waiting to start: PodInitializing',
      },
    },
    {
      text: 'error: unable to retrieve container logs for containerd://c6b9',
      expect: { kind: 'collector-note', text: 'error: unable to retrieve container logs for containerd://c6b9' },
    },
  ],
  nearMisses: ['RuntimeError: Error from server', 'error: the loss is high'],
});
