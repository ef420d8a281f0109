/** Which file or command the lines below a heading are of, and of which Pod, container or host, if path or heading says so. */

/** Whose reading it is. `about` is a bare name: a Pod's or a host's, which only the rest of the bundle can tell. */
export interface ReadingPlace {
  readonly pod: string | undefined;
  readonly container: string | undefined;
  readonly host: string | undefined;
  readonly about: string | undefined;
}

export interface Heading {
  /** Path of a known file, as the heading gives it. */
  readonly file: string | undefined;
  /** True if the heading names a command that this format reads. */
  readonly command: boolean;
  /** What other formats read: the kernel's messages, the GPUs. */
  readonly foreign: 'kernel' | 'gpu' | undefined;
  /** Of this reading alone: `kubectl exec POD -- …`, `ssh HOST …`. */
  readonly place: ReadingPlace | undefined;
  /** Of all that follows until the next such heading. */
  readonly section: ReadingPlace | undefined;
}

const FILES =
  'cpu\\.stat|memory\\.(?:events(?:\\.local)?|current|peak|max|oom_control|failcnt|usage_in_bytes|max_usage_in_bytes|limit_in_bytes)|(?:cpu|io|memory)\\.pressure|pressure[/_-](?:cpu|io|memory)|loadavg|meminfo';
const FILE_AT_END = new RegExp(`(?:^|[^a-zA-Z])(${FILES})(?:\\.(?:txt|log|out))?$`);
const COMMANDS: ReadonlySet<string> = new Set(['df', 'free', 'top', 'uptime']);
/** Longer lines are no headings. */
const MAX_HEADING = 500;
const NAME = /^[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?$/;
const MARKED = /^(?:==> (?<tail>\S.*) <==|(?:[#=*+>$%-]{1,80} ?)(?<marked>[^\s#=*+>$%-].*))$/;
const PROMPT = /^\[?[\w.-]{1,60}@[\w.-]{1,120}[ :][^#$]{0,200}[#$] (?<command>\S.*)$/;
const PATH_ALONE = /^(?<path>\/?[\w.@+/-]{1,400}):$/;
const CLOSING = /[\s#=*-]{1,80}$/;
const KIND_AND_NAME =
  /^(?:\[)?(pod|container|node|host|hostname)s?(?: ?[:=/] ?| )([^\s/\]]{1,253})(?:\/([a-z0-9-]{1,63}))?(?:\])?$/i;

/** `trainer-0`, `[pod/trainer-0/trainer]`. */
const BARE = /^\[?(?<pods>pods?\/)?(?<own>[a-z0-9][a-z0-9.-]{1,252})(?:\/(?<inside>[a-z0-9-]{1,63}))?\]?$/;

const NOWHERE: ReadingPlace = { pod: undefined, container: undefined, host: undefined, about: undefined };

/** `memory.events` of `…/memory.events`, `POD_memory.events.txt`; `pressure/cpu` of `/proc/pressure/cpu`. */
export const knownFile = (path: string): string | undefined =>
  FILE_AT_END.exec(path.slice(-MAX_HEADING))?.[1]?.replace(/^pressure[/_-]/, 'pressure/');

export function readHeading(text: string): Heading | undefined {
  if (text.length > MAX_HEADING) return undefined;
  const groups = (MARKED.exec(text) ?? PROMPT.exec(text) ?? PATH_ALONE.exec(text))?.groups;
  const said = groups?.['tail'] ?? groups?.['marked'] ?? groups?.['command'] ?? groups?.['path'];
  if (said === undefined) return undefined;
  const body = groups?.['marked'] === undefined ? said : said.replace(CLOSING, '');
  const words = body.split(/\s+/, 60).map((word) => word.replace(/^['"`(]+|['"`):,;]+$/g, ''));
  const file = words.find((word) => knownFile(word) !== undefined);
  const names = words.map((word) => word.split('/').at(-1) ?? '');
  const command = names.some((name) => COMMANDS.has(name)) || (isKubectl(names) && names.includes('top'));
  const foreign = names.some((name) => KERNEL.has(name)) ? 'kernel' : names.includes('nvidia-smi') ? 'gpu' : undefined;
  const isReading = file !== undefined || command || foreign !== undefined;
  const place = placeOfCommand(words) ?? (isReading ? besideReading(words) : undefined);
  const section = isReading || place !== undefined ? undefined : sectionOf(body);
  return { file, command, foreign, place, section };
}

const KERNEL: ReadonlySet<string> = new Set(['dmesg', 'journalctl']);
const isKubectl = (names: readonly string[]): boolean => names.some((name) => /^(?:kubectl|oc|k)$/.test(name));

/** `trainer-0: cpu.stat`, `df -h on gpu-node-3`: one name, in a heading that is no command line of kubectl. */
function besideReading(words: readonly string[]): ReadingPlace | undefined {
  if (isKubectl(words)) return undefined;
  const names = words
    .map((word) => word.replace(/^pods?\//, ''))
    .filter(
      (word) => isOwnName(word) && knownFile(word) === undefined && !COMMANDS.has(word) && !FOREIGN_WORDS.has(word),
    );
  const [name] = names;
  return names.length === 1 && name !== undefined ? { ...NOWHERE, about: name } : undefined;
}

const FOREIGN_WORDS: ReadonlySet<string> = new Set(['nvidia-smi']);
/** A word without a dash or a number is a word. */
const isOwnName = (word: string): boolean => NAME.test(word) && /[a-z]/.test(word) && /[-\d]/.test(word);

/** Flags of kubectl exec that take a value of their own. */
const VALUED: ReadonlySet<string> = new Set([
  '-n',
  '--namespace',
  '--context',
  '--kubeconfig',
  '-c',
  '--container',
  '-s',
]);

function placeOfCommand(words: readonly string[]): ReadingPlace | undefined {
  const exec = words.indexOf('exec');
  if (exec > 0 && isKubectl(words.slice(0, exec).map((word) => word.split('/').at(-1) ?? '')))
    return placeOfExec(words, exec);
  const ssh = words.findIndex((word) => /(?:^|\/)ssh$/.test(word));
  if (ssh < 0) return undefined;
  const host = words
    .slice(ssh + 1)
    .find((word) => !word.startsWith('-'))
    ?.split('@')
    .at(-1);
  return host !== undefined && NAME.test(host.toLowerCase()) ? { ...NOWHERE, host } : undefined;
}

function placeOfExec(words: readonly string[], exec: number): ReadingPlace | undefined {
  let pod: string | undefined;
  let container: string | undefined;
  for (let at = exec + 1; at < words.length && words[at] !== '--'; at++) {
    const word = words[at] ?? '';
    const equals = /^(?:-c|--container)=(.+)$/.exec(word)?.[1];
    if (equals !== undefined) container = equals;
    else if (word === '-c' || word === '--container') container = words[at + 1];
    else if (!word.startsWith('-') && pod === undefined) pod = word.replace(/^pods?\//, '');
    if (VALUED.has(word)) at += 1;
  }
  return pod !== undefined && NAME.test(pod) ? { ...NOWHERE, pod, container } : undefined;
}

function sectionOf(body: string): ReadingPlace | undefined {
  const [, kind = '', name = '', container] = KIND_AND_NAME.exec(body) ?? [];
  if (name !== '' && NAME.test(name.toLowerCase())) {
    if (/^pod/i.test(kind)) return { ...NOWHERE, pod: name, container };
    return /^container/i.test(kind) ? undefined : { ...NOWHERE, host: name };
  }
  const { pods, own = '', inside } = BARE.exec(body)?.groups ?? {};
  if (!isOwnName(own)) return undefined;
  return pods !== undefined || inside !== undefined
    ? { ...NOWHERE, pod: own, container: inside }
    : { ...NOWHERE, about: own };
}

const POD_UID = /pod([0-9a-f]{8}[-_][0-9a-f]{4}[-_][0-9a-f]{4}[-_][0-9a-f]{4}[-_][0-9a-f]{12})/;
const CONTAINER_ID = /(?:^|[^0-9a-f])([0-9a-f]{64})(?![0-9a-f])/;

export interface CgroupOwner {
  readonly podUid: string | undefined;
  readonly containerId: string | undefined;
}

/** The Pod and container that a cgroup's path names: `…/kubepods-burstable-podUID.slice/cri-containerd-ID.scope/memory.events`. */
export const ownerOfCgroup = (path: string): CgroupOwner => ({
  podUid: POD_UID.exec(path)?.[1]?.replaceAll('_', '-'),
  containerId: CONTAINER_ID.exec(path)?.[1],
});
