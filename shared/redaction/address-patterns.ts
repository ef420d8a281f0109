/** Addresses, hosts, devices, people's addresses and ids, each by its form. */
import type { Pattern } from './pattern.ts';
import { isPublicHost, isPublicSite, isSystemPath } from './public-names.ts';

/** Four numbers behind `==` or the word version are a version. */
const IPV4 = /(?<![\d.]|==|[Vv]ersion[ :]{1,2})(?:\d{1,3}\.){3}\d{1,3}(?![\d]|\.\d)/g;
/** An interface may stand before it (`eth0:fe80::1`); a colon, a port of five digits or a prefix length behind it are not part of it. */
const IPV6 =
  /(?:(?<![\w:.])|(?<=(?<![\w:.])[\w-]{0,14}[g-zG-Z][\w-]{0,14}:))(?:[0-9A-Fa-f]{0,4}:){2,8}(?:(?:\d{1,3}\.){3}\d{1,3}|[0-9A-Fa-f]{0,4})(?<=[0-9A-Fa-f]|::)(?:%[\w.-]{1,15})?(?!\w|::|:[0-9A-Fa-f]{1,4}(?![0-9A-Fa-f]))/g;
const MAC =
  /(?<![0-9A-Fa-f:-])[0-9A-Fa-f]{2}(?:([:-])[0-9A-Fa-f]{2})(?:\1[0-9A-Fa-f]{2}){4}(?:(?:\1[0-9A-Fa-f]{2}){2})?(?![0-9A-Fa-f:-])/g;
const UUID =
  /(?<![0-9A-Za-z])[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}(?![0-9A-Za-z])/g;
const GPU_UUID =
  /(?<![A-Za-z0-9])(?:GPU|MIG|NIC)-[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}(?![0-9A-Za-z])/g;
const SERIAL = /\bserial(?:[ _-]?(?:no|number))?["']?[ \t]{0,8}[:=#][ \t]{0,4}["']?(?<x>[A-Za-z0-9-]{6,40})/gi;
/** Of an adapter or a port of InfiniBand. */
const GUID = /\bguid["']?[ \t:=]{0,12}["']?(?<x>(?:0x)?[0-9a-f]{16}|[0-9a-f]{4}(?::[0-9a-f]{4}){3})(?![0-9a-f:])/gi;
/** An instance, volume or network of a cloud. */
const CLOUD_ID = /(?<![\w-])(?:i|vol|eni|subnet|vpc|sg|ami|snap|fs|rtb|igw)-[0-9a-f]{8}(?:[0-9a-f]{9})?(?![\w-])/g;
const ARN = /(?<![A-Za-z0-9])arn:aws[a-z-]{0,10}:[a-z0-9-]{0,40}:[a-z0-9-]{0,40}:\d{0,12}:[^\s"'<>,;)\]}]{1,1000}/g;

const EMAIL = /(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,6}/gu;
const GIT =
  /(?<![\w.@-])(?:git|hg|svn)@[\w.-]{1,253}:[\w./~-]{1,500}|[\w.-]{1,64}@[\w.-]{1,253}:[\w./~-]{1,500}\.git\b/g;
/** Any scheme: those that tell something are cut by `isForeignUrl` and by the pattern of endpoints. */
const URL = /(?<![A-Za-z0-9+.-])[A-Za-z][A-Za-z0-9+.-]{1,30}:\/\/[^\s"'<>`]{1,2000}/g;
const ENCODED_URL = /(?<![A-Za-z0-9])[a-z][a-z0-9]{1,12}%3A(?:%2F|\/){2}[^\s"'<>`&]{1,2000}/gi;
const BUCKET =
  /(?<![A-Za-z0-9])(?:s3a?|gs|gcs|oss|cos|abfss?|wasbs?|az|hdfs|swift|minio|obs|tos):\/\/[^\s"'<>`)\]}]{1,2000}/g;
/** The place of a rendezvous keeps its scheme and its port: both tell something. */
const ENDPOINT =
  /(?<![A-Za-z0-9])(?:tcp|udp|ib|etcd|etcd-v2|c10d|rdzv|grpc):\/\/(?<x>[A-Za-z0-9][A-Za-z0-9.-]{0,252})/g;
const IP_HOST = /(?<![A-Za-z0-9])ip-\d{1,3}(?:-\d{1,3}){3}(?:\.[A-Za-z0-9-]{1,63}){0,6}(?![A-Za-z0-9])/g;
const TOP =
  'internal|local|localdomain|lan|corp|intra|intranet|home|cluster|svc|example|arpa|com|net|org|io|ai|dev|cloud|edu|gov|mil|biz|tech|xyz|de|uk|fr|cn|jp|in|eu|co|nl|dk|fi|pl|cz|ru|kr|tw|hu|br|nz|ua';
/** Endings that are also names of attributes and files (`self.it`, `logging.info`): only behind two labels. */
const TOP_OR_WORD = 'info|int|app|ca|ch|at|be|no|se|es|it|us|au|il|ie|gr|pt|sg|hk|tr|za|mx|ro|is|lu|sa|ae';
const FQDN = new RegExp(
  `(?<![A-Za-z0-9@._-])(?:(?:[A-Za-z0-9-]{1,63}\\.){1,8}(?:${TOP})|(?:[A-Za-z0-9-]{1,63}\\.){2,8}(?:${TOP_OR_WORD}))(?![A-Za-z0-9_(-]|\\.[A-Za-z0-9])`,
  'g',
);
/** `SLURM_NODELIST=gpu-a[17-20]`. */
const NODE_LIST = /node_?list["']?[ \t]{0,4}[:=][ \t]{0,4}["']?(?<x>[A-Za-z][\w.,[\]-]{1,2000})/gi;

export const ADDRESS_PATTERNS: readonly Pattern[] = [
  { kind: 'device', regex: GPU_UUID, needs: '-', least: 40 },
  { kind: 'device', regex: SERIAL, needs: 'serial', least: 12, accepts: (text) => /\d/.test(text) },
  { kind: 'device', regex: GUID, needs: 'guid', least: 20 },
  { kind: 'uuid', regex: UUID, needs: '-', least: 36 },
  { kind: 'uuid', regex: CLOUD_ID, needs: '-', least: 10 },
  { kind: 'uuid', regex: ARN, needs: 'arn:', least: 12 },
  { kind: 'bucket', regex: BUCKET, needs: '://' },
  { kind: 'url', regex: URL, needs: '://', accepts: isForeignUrl },
  { kind: 'url', regex: ENCODED_URL, needs: '%3a' },
  { kind: 'url', regex: GIT, needs: '@' },
  { kind: 'host', regex: ENDPOINT, needs: '://', accepts: (text) => /[A-Za-z]/.test(text) && text !== 'localhost' },
  { kind: 'email', regex: EMAIL, needs: '@' },
  { kind: 'ip', regex: IPV4, needs: '.', accepts: isIpv4 },
  { kind: 'mac', regex: MAC, least: 17 },
  { kind: 'ip', regex: IPV6, needs: ':', accepts: isIpv6 },
  { kind: 'host', regex: IP_HOST, needs: 'ip-' },
  { kind: 'host', regex: FQDN, needs: '.', accepts: (text) => !isPublicHost(text) && !/^\d+\./.test(text) },
  { kind: 'host', regex: NODE_LIST, needs: 'list' },
];

/** Schemes whose address has a pattern of its own, or that only name the program that made a container. */
const OWN_SCHEME = /^(?:tcp|udp|ib|etcd|etcd-v2|c10d|rdzv|grpc|containerd|docker|cri-o|docker-pullable|oci):/i;

function isForeignUrl(text: string): boolean {
  const place = text.slice(text.indexOf('://') + 3);
  // A name and a password before the host are never anybody's.
  if (/^[^\s/]{1,300}@/.test(place)) return true;
  if (OWN_SCHEME.test(text)) return false;
  return /^(?:file|unix):/i.test(text) ? !isSystemPath(place) : !isPublicSite(place);
}

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
  if (address === '::1' || address === '::' || /^::ffff:(?:127\.|0\.0\.0\.0$)/i.test(address)) return false;
  const halves = address.split('::');
  if (halves.length > 2) return false;
  const groups = halves.flatMap((half) => (half === '' ? [] : half.split(':')));
  const quad = groups.at(-1)?.includes('.') === true;
  if (!groups.every((group, i) => /^[0-9A-Fa-f]{1,4}$/.test(group) || (quad && i === groups.length - 1))) return false;
  const count = groups.length + (quad ? 1 : 0);
  if (halves.length === 1) return count === 8;
  return count <= 7 && count >= 1 && (/\d/.test(address) || groups.length >= 3);
}
