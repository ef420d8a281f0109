/** Names that are known by what stands beside them: learned from every text, then replaced wherever they stand. */
import type { Pattern } from './pattern.ts';

const NAME = '[A-Za-z0-9](?:[A-Za-z0-9._-]{0,251}[A-Za-z0-9])?';
/** A name with a figure and a hyphen or dot: beside words that also stand in prose (`node`, `resolve`) anything plainer may be prose. */
const BUILT = '(?=[\\w.-]{0,252}\\d)(?=[\\w.-]{0,252}[.-])NAME';
const JOINED = '(?=[\\w.-]{0,252}[.-])NAME';
const MONTH = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)';
const QUOTE = '\\\\{0,4}["\']';
/** What stands between the name of a field and its value. `kubectl describe` sets values in a column. */
const IS = `(?:${QUOTE})?[ \\t]{0,40}[:=][ \\t]{0,40}(?:${QUOTE})?`;
const named = (source: string, flags = 'g'): RegExp =>
  new RegExp(
    source.replaceAll('BUILT', BUILT).replaceAll('JOINED', JOINED).replaceAll('NAME', NAME).replaceAll('IS', IS),
    flags,
  );

const PEOPLE: readonly Pattern[] = [
  {
    kind: 'user',
    regex: /(?:\/|\\{1,4})(?:home|Users)(?:\/|\\{1,4})(?<x>[\p{L}_][\p{L}\p{N}_.-]{1,31})(?=[/\\\s"':,;)]|$)/gu,
  },
  { kind: 'user', regex: /(?<![\w./~])~(?<x>[A-Za-z_][\w.-]{1,31})(?=\/)/g, needs: '~' },
  {
    kind: 'user',
    regex: named(
      '(?:\\b|SLURM_JOB_|SUDO_|JUPYTERHUB_|JOB_|DB_|PG|MYSQL_)(?:user(?:name)?|owner|LOGNAME|submitted[ _-]by|launched[ _-]by)IS(?!arn:)(?<x>[A-Za-z_][\\w.-]{2,31})',
      'gi',
    ),
  },
  { kind: 'user', regex: /\buid=\d{1,10}\((?<x>[A-Za-z_][\w.-]{1,31})\)/g, needs: 'uid=' },
  { kind: 'user', regex: /\blogin\s{1,8}(?<x>[A-Za-z_][\w.-]{2,31})\s{1,8}password\b/g, needs: 'login' },
  { kind: 'user', regex: /(?<![\w.@-])(?<x>[a-z_][\w.-]{2,31})@[A-Za-z][\w-]{2,62}/g, needs: '@' },
];

const HOSTS: readonly Pattern[] = [
  { kind: 'host', regex: /(?<![\w.@-])[a-z_][\w.-]{2,31}@(?<x>[A-Za-z][\w.-]{2,62})/g, needs: '@' },
  { kind: 'host', regex: named('(?:^|[\\s\\]])(?<x>NAME):\\d{1,10}:\\d{1,10} \\[\\d{1,4}\\] NCCL'), needs: 'nccl' },
  {
    kind: 'host',
    regex: named('(?<![A-Za-z])(?:host(?:name)?|node_?name|nodeName|hostIP|host_name)IS(?<x>NAME)', 'gi'),
  },
  { kind: 'host', regex: named('\\bNode:[ \\t]{1,40}(?<x>NAME)'), needs: 'node:' },
  { kind: 'host', regex: named('\\b[Nn]ode[ \\t]{1,4}["\']?(?<x>BUILT)'), needs: 'node' },
  {
    kind: 'host',
    regex: named(
      '(?:master[_-]addr|rdzv[_-]endpoint|rdzv[_-]conf|master[_-]address)["\']?[ \\t]{0,4}[= :][ \\t]{0,4}["\']?(?<x>NAME)',
      'gi',
    ),
  },
  { kind: 'host', regex: named('\\((?:::ffff:)?(?<x>NAME), \\d{2,5}\\)'), needs: '(' },
  { kind: 'host', regex: named('\\bmachine\\s{1,8}(?<x>NAME)\\s{1,8}login\\b'), needs: 'machine' },
  {
    kind: 'host',
    regex: named(
      '\\b(?:resolve|resolving|lookup|getaddrinfo(?: ENOTFOUND)?|not known:|no such host:)[ \\t]{1,4}(?:host(?:name)?:?[ \\t]{1,4})?["\']?(?<x>JOINED)',
      'gi',
    ),
  },
  {
    kind: 'host',
    regex: named(
      `(?:^|\\n)${MONTH} {1,2}\\d{1,2} \\d\\d:\\d\\d:\\d\\d (?<x>NAME) [\\w./()-]{1,60}(?:\\[\\d{1,8}\\])?:`,
    ),
    needs: ':',
  },
  {
    kind: 'host',
    regex: named(
      '(?:^|\\n)\\d{4}-\\d\\d-\\d\\dT[\\d:.+Z-]{8,30} (?<x>NAME) (?:kernel|systemd|kubelet|containerd|dockerd|crio|slurmd|nvidia-[a-z-]{2,30})(?:\\[\\d{1,8}\\])?:',
    ),
    needs: ':',
  },
  { kind: 'host', regex: named('\\b(?:nfs|NFS|mount(?:ing|ed)?)\\b[^\\n]{0,80}?\\s(?<x>NAME):/[\\w.]'), needs: ':/' },
  {
    kind: 'host',
    regex: named(
      '\\bnfs(?:QUOTE)?:[\\s{]{1,40}(?:(?:QUOTE)?path(?:QUOTE)?:[^\\n,]{1,300}[\\s,]{1,40})?(?:QUOTE)?serverIS(?<x>NAME)'.replaceAll(
        'QUOTE',
        QUOTE,
      ),
    ),
    needs: 'nfs',
  },
];

/** Names of the cluster's objects often hold the name of the project. */
const OBJECTS: readonly Pattern[] = [
  {
    kind: 'namespace',
    accepts: isFilledIn,
    regex: named('(?<![A-Za-z])namespaces?(?:IS|/)(?<x>NAME)', 'gi'),
    needs: 'namespace',
  },
  { kind: 'namespace', accepts: isFilledIn, regex: named('(?:--namespace[= ]|\\s-n )[ \\t]{0,4}(?<x>NAME)') },
  { kind: 'namespace', regex: /\b(?:[Pp]ods?|[Jj]ob)[ \t]{1,4}(?<x>[a-z0-9][a-z0-9-]{0,61}[a-z0-9])\/[a-z0-9]/g },
  {
    kind: 'namespace',
    regex: /(?:^|\/)pods\/(?<x>[a-z0-9-]{1,63})_[a-z0-9.-]{1,253}_[0-9a-f-]{32,36}/g,
    needs: 'pods/',
  },
  { kind: 'namespace', regex: /\bserviceaccount:(?<x>[a-z0-9-]{1,63}):/g, needs: 'serviceaccount:' },
  { kind: 'pod', regex: /(?:^|\/)pods\/[a-z0-9-]{1,63}_(?<x>[a-z0-9.-]{1,253})_[0-9a-f-]{32,36}/g, needs: 'pods/' },
  { kind: 'pod', regex: /\bpods?[/=][ \t]{0,4}(?<x>[a-z0-9][a-z0-9.-]{1,251}[a-z0-9])(?![\w.-])/g },
  {
    kind: 'object',
    accepts: isObjectName,
    regex: /\bserviceaccount:[a-z0-9-]{1,63}:(?<x>[a-z0-9][a-z0-9.-]{1,252})/g,
    needs: 'serviceaccount:',
  },
  {
    kind: 'object',
    accepts: isObjectName,
    regex: named(
      '\\b(?:secretName|claimName|configMapName|serviceAccount(?:Name)?|priorityClassName|storageClassName|volumeName|queueName)IS(?<x>NAME)',
    ),
  },
  {
    kind: 'object',
    accepts: isObjectName,
    regex: named(
      '\\bimagePullSecrets(?:QUOTE)?[ \\t]{0,4}:[\\s[{-]{1,80}(?:QUOTE)?nameIS(?<x>NAME)'.replaceAll('QUOTE', QUOTE),
    ),
    needs: 'imagepull',
  },
  {
    kind: 'object',
    accepts: isObjectName,
    regex: named('\\b(?:secret|configmap|persistentvolumeclaim|serviceaccount|pvc)s?[ /]"(?<x>NAME)"', 'gi'),
    needs: '"',
  },
];

export const LEARNED: readonly Pattern[] = [...PEOPLE, ...HOSTS, ...OBJECTS];

/** `train.py`, `ProcessGroupNCCL.cpp`, `rank-0.log`: files, whatever stands beside them. */
export const isFileName = (text: string): boolean =>
  /\.(?:py|pyc|cpp|cc|cu|cuh|h|hpp|c|so|go|rs|log|txt|json|jsonl|ya?ml|csv|gz|tar|zip|out|err|sh|md|pt|pth|bin|pkl|pickle|trace|xml|conf|cfg|toml|ini)(?:\.\d+)*$/i.test(
    text,
  );

/** The cluster allows no capitals; the report's own patch has `YOUR-PERSISTENT-VOLUME-CLAIM` in place of a name. */
function isObjectName(text: string): boolean {
  return text === text.toLowerCase();
}

/** `kubectl logs -n NAMESPACE`: a word in capitals waits for a name. */
function isFilledIn(text: string): boolean {
  return !/^[A-Z]+$/.test(text);
}
