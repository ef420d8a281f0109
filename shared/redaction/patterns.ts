/**
 * Originals that are known by their form. Every expression is bounded and has no nested repetition: a line of 64 KB costs milliseconds.
 * A group `x` names the part that is replaced; without one it is the whole match.
 */
import type { RedactionKind } from './types.ts';

export interface Pattern {
  readonly kind: RedactionKind;
  readonly regex: RegExp;
  /** Refuses what only looks alike. */
  readonly accepts?: (text: string) => boolean;
  /** A text without this part, or shorter than that, cannot match: most texts need no expression at all. */
  readonly needs?: string;
  readonly least?: number;
}

/** False where a look is wasted. */
export const mayMatch = ({ needs, least }: Pattern, text: string): boolean =>
  (least === undefined || text.length >= least) && (needs === undefined || text.includes(needs));

const TOKEN_FORMS =
  /(?:AKIA|ASIA|AGPA|AIDA|AROA)[0-9A-Z]{16}|gh[pousr]_[A-Za-z0-9]{20,255}|github_pat_[A-Za-z0-9_]{20,255}|glpat-[A-Za-z0-9_-]{16,64}|hf_[A-Za-z0-9]{20,64}|sk-[A-Za-z0-9_-]{16,200}|xox[abprs]-[A-Za-z0-9-]{10,200}|AIza[0-9A-Za-z_-]{30,45}|nvapi-[A-Za-z0-9_-]{20,100}|eyJ[A-Za-z0-9_-]{8,2000}\.[A-Za-z0-9_-]{4,4000}(?:\.[A-Za-z0-9_-]{0,2000})?/g;

/** `password=…`, `"token": "…"`, `Authorization: Bearer …`. The value is the secret. */
const ASSIGNED_SECRET =
  /(?:passw(?:or)?d|passphrase|secret|token|api[_-]?key|access[_-]?key(?:[_-]?id)?|private[_-]?key|credentials?)["']?[ \t]{0,4}[:=][ \t]{0,4}(?:Bearer[ \t]{1,4}|Basic[ \t]{1,4})?["']?(?<x>[^\s"',;(){}<>]{4,2000})/gi;
const BEARER = /\b(?:Bearer|Basic)[ \t]{1,4}(?<x>[A-Za-z0-9._~+/=-]{12,2000})/g;
const HEX_SECRET = /(?<![A-Za-z0-9])[0-9a-fA-F]{32,512}(?![A-Za-z0-9])/g;
const BASE64_SECRET = /(?<![A-Za-z0-9+/=_-])[A-Za-z0-9+/_-]{32,4000}={0,2}(?![A-Za-z0-9+/=_-])/g;

const IPV4 = /(?<![\d.])(?:\d{1,3}\.){3}\d{1,3}(?![\d]|\.\d)/g;
const IPV6 = /(?<![\w:.])[0-9A-Fa-f:]{3,45}(?:(?<=:)(?:\d{1,3}\.){3}\d{1,3})?(?:%[\w-]{1,15})?(?![\w:])/g;
const MAC =
  /(?<![0-9A-Fa-f:-])[0-9A-Fa-f]{2}(?:([:-])[0-9A-Fa-f]{2})(?:\1[0-9A-Fa-f]{2}){4}(?:(?:\1[0-9A-Fa-f]{2}){2})?(?![0-9A-Fa-f:-])/g;
const UUID =
  /(?<![0-9A-Za-z])[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}(?![0-9A-Za-z])/g;
const GPU_UUID =
  /(?<![A-Za-z0-9])(?:GPU|MIG|NIC)-[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}(?![0-9A-Za-z])/g;
const SERIAL = /\bserial(?:[ _-]?(?:no|number))?["']?[ \t]{0,8}[:=#][ \t]{0,4}["']?(?<x>[A-Za-z0-9-]{6,40})/gi;

const EMAIL = /(?<![A-Za-z0-9._%+-])[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,6}/g;
const BUCKET =
  /(?<![A-Za-z0-9])(?:s3a?|gs|gcs|oss|cos|abfss?|wasbs?|az|hdfs|swift|minio|obs|tos):\/\/[^\s"'<>`)\]}]{1,2000}/g;
const URL =
  /(?<![A-Za-z0-9])(?:https?|ftp|wss?|git|ssh|rsync|nfs|smb|ldaps?|postgres(?:ql)?|mysql|redis|amqp|mongodb(?:\+srv)?):\/\/[^\s"'<>`]{1,2000}/g;
/** The place of a rendezvous keeps its scheme and its port: both tell something. */
const ENDPOINT =
  /(?<![A-Za-z0-9])(?:tcp|udp|ib|etcd|etcd-v2|c10d|rdzv|grpc):\/\/(?<x>[A-Za-z0-9][A-Za-z0-9.-]{0,252})/g;
const IP_HOST = /(?<![A-Za-z0-9])ip-\d{1,3}(?:-\d{1,3}){3}(?:\.[A-Za-z0-9-]{1,63}){0,6}(?![A-Za-z0-9])/g;
const FQDN =
  /(?<![A-Za-z0-9@._-])(?:[A-Za-z0-9-]{1,63}\.){1,8}(?:internal|local|localdomain|lan|corp|intra|intranet|home|cluster|svc|com|net|org|io|ai|dev|cloud|edu|gov|de|uk|fr|cn|jp|in|eu|co)(?![A-Za-z0-9_-]|\.[A-Za-z0-9])/g;
const IMAGE =
  /(?<![A-Za-z0-9./:_-])(?:[A-Za-z0-9-]{1,63}\.){1,8}[A-Za-z0-9-]{1,63}(?::\d{2,5})?\/[a-z0-9][a-z0-9._/-]{0,200}(?::[\w][\w.-]{0,127}|@sha256:[0-9a-f]{64})(?![\w])/g;
/** A whole absolute path; what of it is replaced, `accepts` of the redactor cuts. */
const PATH = /(?<![\w./~:*-])(?<x>(?:~|\/)[\w.@+=~-]{0,255}(?:\/[\w.@+=~%,-]{1,255}){1,40})\/[\w.@+=~%,-]{1,255}/g;
const ROOTS =
  'home|Users|mnt|data|workspace|workspaces|scratch|nfs|lustre|gpfs|fsx|efs|work|project|projects|shared|storage|root|opt|srv|var|tmp|export|vast|weka|beegfs';
/** One folder below a root of customers' data: the folder goes, the name of a file in it stays. */
const SHORT_PATH = new RegExp(
  `(?<![\\w./~:*-])(?<x>/(?:${ROOTS})/[\\w@+=~%-]{1,255})(?![\\w./~%-])|(?<![\\w./~:*-])(?<y>/(?:${ROOTS}))/[\\w@+=~%-]{1,255}\\.[\\w.-]{1,32}(?![\\w/~%-])`,
  'g',
);
const WINDOWS_PATH = /(?<![\w])(?<x>[A-Za-z]:\\(?:[\w.@+=~ -]{1,120}\\){1,20})/g;

export const PATTERNS: readonly Pattern[] = [
  { kind: 'secret', regex: TOKEN_FORMS, least: 16 },
  { kind: 'secret', regex: ASSIGNED_SECRET, least: 10, accepts: isSecretValue },
  { kind: 'secret', regex: BEARER, needs: ' ', least: 18 },
  { kind: 'secret', regex: HEX_SECRET, least: 32, accepts: (text) => /\d/.test(text) && /[a-f]/i.test(text) },
  { kind: 'secret', regex: BASE64_SECRET, least: 32, accepts: looksRandom },
  { kind: 'device', regex: GPU_UUID, needs: '-', least: 40 },
  { kind: 'device', regex: SERIAL, least: 12, accepts: (text) => /\d/.test(text) },
  { kind: 'uuid', regex: UUID, needs: '-', least: 36 },
  { kind: 'bucket', regex: BUCKET, needs: '://' },
  { kind: 'url', regex: URL, needs: '://', accepts: (text) => !isPublicHost(text.replace(/^[a-z+]+:\/\//i, '')) },
  { kind: 'host', regex: ENDPOINT, needs: '://', accepts: (text) => /[A-Za-z]/.test(text) && text !== 'localhost' },
  { kind: 'email', regex: EMAIL, needs: '@' },
  { kind: 'image', regex: IMAGE, needs: '/', least: 8, accepts: (text) => !isPublicHost(text) },
  { kind: 'ip', regex: IPV4, needs: '.', accepts: isIpv4 },
  { kind: 'mac', regex: MAC, least: 17 },
  { kind: 'ip', regex: IPV6, needs: ':', accepts: isIpv6 },
  { kind: 'host', regex: IP_HOST, needs: 'ip-' },
  { kind: 'host', regex: FQDN, needs: '.', accepts: (text) => !isPublicHost(text) && !/^\d+\./.test(text) },
  { kind: 'path', regex: PATH, needs: '/', accepts: (text) => !isSystemPath(text) },
  { kind: 'path', regex: SHORT_PATH, needs: '/', accepts: (text) => !isSystemPath(text) },
  { kind: 'path', regex: WINDOWS_PATH, needs: ':\\' },
];

/** Addresses that every machine has stay: they tell a fault (a rendezvous on the loopback) and nobody's network. */
function isIpv4(text: string): boolean {
  const parts = text.split('.').map(Number);
  return (
    parts.every((part) => part <= 255) &&
    parts[0] !== 127 &&
    text !== '0.0.0.0' &&
    text !== '255.255.255.255' &&
    !/(?:^|\.)0\d/.test(text)
  );
}

/** Eight groups, or fewer around one `::`. Times (`10:28:25`), PCI places and C++ names are none. */
function isIpv6(text: string): boolean {
  const address = text.split('%')[0] ?? '';
  if (address === '::1' || address === '::') return false;
  const halves = address.split('::');
  if (halves.length > 2) return false;
  const groups = halves.flatMap((half) => (half === '' ? [] : half.split(':')));
  const quad = groups.at(-1)?.includes('.') === true;
  if (!groups.every((group, i) => /^[0-9A-Fa-f]{1,4}$/.test(group) || (quad && i === groups.length - 1))) return false;
  const count = groups.length + (quad ? 1 : 0);
  if (halves.length === 1) return count === 8;
  return count <= 7 && count >= 1 && (/\d/.test(address) || groups.length >= 3);
}

/** Sites that images, packages and manuals of everybody come from, and names of Kubernetes' own resources. */
const PUBLIC_HOSTS =
  /^(?:(?:www|docs|discuss|download|developer|catalog)\.)?(?:nvidia\.com|pytorch\.org|kubernetes\.io|k8s\.io|kubeflow\.org|python\.org|github\.com\/(?:pytorch|NVIDIA|kubernetes|kubeflow)|gcr\.io\/google-containers|registry\.k8s\.io|nvcr\.io\/nvidia|docker\.io\/(?:pytorch|nvidia|library)|amazonaws\.com|polyaxon\.com|ray\.io)(?![\w.-]*\.)/i;
const PUBLIC_SUFFIX =
  /(?:^|\.)(?:kubernetes\.io|k8s\.io|nvidia\.com|pytorch\.org|kubeflow\.org|x-k8s\.io|polyaxon\.com|nvcr\.io|docker\.io|ghcr\.io|quay\.io|gcr\.io)$/i;

function isPublicHost(text: string): boolean {
  const host = text.split(/[/:]/)[0] ?? '';
  return PUBLIC_HOSTS.test(text) || PUBLIC_SUFFIX.test(host);
}

const SYSTEM_PATH =
  /^\/(?:dev|proc|sys|usr\/(?:lib|lib64|bin|sbin|include|share|src)|usr\/local\/(?:cuda[\w.-]*|lib|bin)|lib|lib64|bin|sbin|opt\/(?:conda|venv|nvidia|hpcx)|etc|run|var\/run|var\/log\/(?:pods|containers)?|boot|__w\/pytorch|pytorch|opt\/pytorch)(?:\/|$)/;
const OPEN_PACKAGES =
  /\/(?:site|dist)-packages\/(?:torch|torchvision|torchaudio|triton|numpy|deepspeed|megatron|transformers|accelerate|lightning|pytorch_lightning|datasets|nvidia|apex|flash_attn|transformer_engine|vllm|ray|fairscale|xformers|polyaxon)(?:\/|$)/;

/** Places that every Linux and every image of the trade has. Names of packages that are not public are not among them. */
function isSystemPath(text: string): boolean {
  if (/\/(?:site|dist)-packages(?:\/|$)/.test(text)) return OPEN_PACKAGES.test(text) && SYSTEM_PATH.test(text);
  // The last ones are what the report itself proposes.
  return (
    SYSTEM_PATH.test(text) ||
    /^\/diagnostics(?:\/(?:fr|logs))?$/.test(text) ||
    text === '/tmp' ||
    text === '/root' ||
    text === '/var/log'
  );
}

/** A word beside `token:` may be prose (`token: missing`); a value that is masked says nothing. */
function isSecretValue(text: string): boolean {
  return !/^(?:\*+|x{3,}|<[\w -]+>|none|null|true|false|missing|invalid|unset|empty|required|expired|redacted|secret-\d+|secretKeyRef|valueFrom)$/i.test(
    text,
  );
}

const MIN_ENTROPY = 3.9;

/** Bits of Shannon entropy per character; words joined by underscores stay below, keys of 32 random characters above. Chosen on samples. */
function looksRandom(text: string): boolean {
  if (/^_Z/.test(text) || !/[a-z]/.test(text) || !/[A-Z]/.test(text) || !/\d/.test(text)) return false;
  const parts = text.split(/[/_-]/);
  if (text.length / parts.length < 10) return false;
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length);
  return bits >= MIN_ENTROPY;
}

/** Names that are known by what stands beside them: learned from every text, then replaced wherever they stand. */
const NAME = '[A-Za-z0-9](?:[A-Za-z0-9._-]{0,251}[A-Za-z0-9])?';
const named = (source: string, flags = 'g'): RegExp => new RegExp(source.replaceAll('NAME', NAME), flags);

export const LEARNED: readonly Pattern[] = [
  { kind: 'user', regex: /\/(?:home|Users)\/(?<x>[A-Za-z_][\w.-]{1,31})(?=[/\s"':,;)]|$)/g },
  {
    kind: 'user',
    regex:
      /\b(?:user(?:name)?|owner|LOGNAME|submitted[ _-]by|launched[ _-]by)["']?[ \t]{0,4}[:=][ \t]{0,4}["']?(?<x>[A-Za-z_][\w.-]{2,31})/gi,
  },
  { kind: 'user', regex: /\buid=\d{1,10}\((?<x>[A-Za-z_][\w.-]{1,31})\)/g },
  { kind: 'user', regex: /(?<![\w.@-])(?<x>[a-z_][\w.-]{2,31})@[A-Za-z][\w-]{2,62}/g },
  { kind: 'host', regex: /(?<![\w.@-])[a-z_][\w.-]{2,31}@(?<x>[A-Za-z][\w.-]{2,62})/g },
  { kind: 'namespace', regex: named('\\bnamespaces?["\']?[ \\t]{0,4}[:=/][ \\t]{0,4}["\']?(?<x>NAME)') },
  { kind: 'namespace', regex: named('(?:--namespace[= ]|\\s-n )[ \\t]{0,4}(?<x>NAME)') },
  { kind: 'namespace', regex: /\b(?:[Pp]ods?|[Jj]ob)[ \t]{1,4}(?<x>[a-z0-9][a-z0-9-]{0,61}[a-z0-9])\/[a-z0-9]/g },
  { kind: 'namespace', regex: /(?:^|\/)pods\/(?<x>[a-z0-9-]{1,63})_[a-z0-9.-]{1,253}_[0-9a-f-]{32,36}/g },
  { kind: 'pod', regex: /(?:^|\/)pods\/[a-z0-9-]{1,63}_(?<x>[a-z0-9.-]{1,253})_[0-9a-f-]{32,36}/g },
  { kind: 'host', regex: named('(?:^|[\\s\\]])(?<x>NAME):\\d{1,10}:\\d{1,10} \\[\\d{1,4}\\] NCCL') },
  {
    kind: 'host',
    regex: named(
      '\\b(?:host(?:name)?|node_?name|nodeName|hostIP|host_name)["\']?[ \\t]{0,4}[:=][ \\t]{0,4}["\']?(?<x>NAME)',
      'gi',
    ),
  },
  {
    kind: 'host',
    regex: named(
      '(?:master[_-]addr|rdzv[_-]endpoint|rdzv[_-]conf|master[_-]address)["\']?[ \\t]{0,4}[= :][ \\t]{0,4}["\']?(?<x>NAME)',
      'gi',
    ),
  },
  { kind: 'host', regex: named('\\((?:::ffff:)?(?<x>NAME), \\d{2,5}\\)') },
  { kind: 'pod', regex: /\bpods?[/=][ \t]{0,4}(?<x>[a-z0-9][a-z0-9.-]{1,251}[a-z0-9])(?![\w.-])/g },
];

/** `train.py`, `ProcessGroupNCCL.cpp`, `rank-0.log`: files, whatever stands beside them. */
export const isFileName = (text: string): boolean =>
  /\.(?:py|pyc|cpp|cc|cu|cuh|h|hpp|c|so|go|rs|log|txt|json|jsonl|ya?ml|csv|gz|tar|zip|out|err|sh|md|pt|pth|bin|pkl|pickle|trace|xml|conf|cfg|toml|ini)(?:\.\d+)*$/i.test(
    text,
  );
