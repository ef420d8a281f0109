/**
 * Keys, passwords and tokens: by the form that their issuers gave them, by the name that stands before them, or because they look random.
 *
 *   hf_…  AKIA…  eyJ….….…        a form of its own
 *   password: x   --hf-token x   name: DB_PASSWORD, value: x   Authorization: Bearer x       named
 *   32 hexadecimal digits, 32 mixed characters of base64                                     random
 *
 * Sources: the issuers' own pages on their keys, as of 2026. Not covered: a short secret that nothing names.
 */
import type { Pattern } from './pattern.ts';

const FORMS = [
  '(?:AKIA|ASIA|AGPA|AIDA|AROA|AIPA|ANPA|ANVA|ABIA|ACCA)[0-9A-Z]{16}',
  '(?:gh[pousr]|github_pat)_[A-Za-z0-9_]{20,255}',
  'gl(?:pat|dt|rt|ptt|cbt|soat|agent|imt|ft)-[A-Za-z0-9_.-]{16,100}',
  '(?:hf|api_org)_[A-Za-z0-9]{20,64}',
  '(?:wandb_v1|npm|dop_v1|doo_v1|dor_v1|r8|gsk|xai|pcsk|lin_api|secret|lsv2_pt|lsv2_sk|shpat|tskey|pul|whsec|hcp|rpa|tml|csk|fw)[_-][A-Za-z0-9_-]{24,255}',
  '(?:dckr_pat|dckr_oat)_[A-Za-z0-9_-]{16,100}',
  '[sr]k_(?:live|test)_[A-Za-z0-9]{16,200}',
  'sk-[A-Za-z0-9_-]{16,200}',
  'xox[abeprs]-[A-Za-z0-9-]{10,300}',
  'AIza[0-9A-Za-z_-]{30,45}',
  'ya29\\.[0-9A-Za-z_-]{10,1000}',
  'GOCSPX-[0-9A-Za-z_-]{6,100}',
  '1//0[0-9A-Za-z_-]{6,300}',
  '(?:nvapi|pypi|local|oauth|key)-[A-Za-z0-9_-]{32,300}',
  'nvapi-[A-Za-z0-9_-]{20,100}',
  'pypi-AgE[A-Za-z0-9_-]{10,300}',
  'dapi[0-9a-f]{32}(?:-\\d)?',
  'SG\\.[A-Za-z0-9_-]{16,40}\\.[A-Za-z0-9_-]{16,80}',
  'hv[sbr]\\.[A-Za-z0-9_-]{20,300}',
  'AGE-SECRET-KEY-1[0-9A-Z]{50,70}',
  'eyJ[A-Za-z0-9_-]{8,2000}\\.[A-Za-z0-9_-]{4,4000}(?:\\.[A-Za-z0-9_-]{0,2000})?',
];
/** Before a form stands no letter and no digit: `disk-…` is no `sk-…`. */
const TOKEN_FORMS = new RegExp(`(?<![A-Za-z0-9])(?:${FORMS.join('|')})`, 'g');

/** Names whose value is always a secret, however short. */
const PASSWORD = 'passw(?:or)?d|passwd|passphrase|passcode|secret|private[_-]?key|client[_-]?secret';
/** Names that stand beside other things as well: counts of tokens, names of keys. */
const TOKEN =
  '(?:access|account|api|encryption|license|master|secret|session|shared|signing|ssh|storage|subscription|wandb|comet|neptune|clearml|ngc)[_-]?key(?:[_-]?id)?|apikey|token|credentials?|signature|conn(?:ection)?[_-]?str(?:ing)?|session[_-]?id|sasl?[_-]?(?:key|jaas)';
const SUFFIX = '(?:[_-](?:hash|value|base64|b64|file|old|new|prod|dev|test|\\d{1,2})){0,2}';

/** A quote, also one that is escaped once or more often: a JSON text within a JSON text. */
const QUOTE = '\\\\{0,8}["\']';
/**
 * A value in quotes (up to the same quote), in escaped quotes, or bare: up to a blank, or to a comma or bracket behind which something new
 * begins. Group names end in `id`, since one expression may hold this twice.
 */
const secretIn = (id: string): string =>
  [
    `\\\\{1,8}["'](?<e${id}>[^"'\\\\\\n]{1,2000})`,
    `"(?<d${id}>(?:[^"\\\\\\n]|\\\\.){1,2000})`,
    `'(?<s${id}>(?:[^'\\\\\\n]|\\\\.){1,2000})`,
    `(?<b${id}>(?:[^\\s"'\`<>,;&(){}[\\]\\\\]|[,;&(){}[\\]](?!\\s|$|["']|[\\w.-]{1,40}["']?[ \\t]?[:=])){1,2000})`,
  ].join('|');

const assigned = (names: string, flags: string): RegExp =>
  new RegExp(`(?:${names})${SUFFIX}(?:${QUOTE})?[ \\t]{0,8}(?:[:=]|:=|=>)[ \\t]{0,8}(?:${secretIn('1')})`, flags);
/** `--db-password x`, `"--hf-token", "x"`. */
const option = (names: string, flags: string): RegExp =>
  new RegExp(
    `(?<![\\w-])--?[\\w-]{0,40}(?:${names})${SUFFIX}(?:["'][ \\t]{0,4},[\\s]{0,40}|[ \\t]{1,8})(?!-)(?:${secretIn('1')})`,
    flags,
  );
/** The two lines of a Pod's environment, or the two members of a JSON object. */
const environment = (names: string, flags: string): RegExp =>
  new RegExp(
    `\\bname(?:${QUOTE})?[ \\t]{0,8}[:=][ \\t]{0,8}(?:${QUOTE})?[\\w.-]{0,60}(?:${names})[\\w.-]{0,40}(?:${QUOTE})?,?\\s{1,200}(?:${QUOTE})?value(?:${QUOTE})?[ \\t]{0,8}[:=][ \\t]{0,8}(?:${secretIn('1')})|` +
      `\\bname(?:${QUOTE})?:(?:${QUOTE})[\\w.-]{0,60}(?:${names})[\\w.-]{0,40}(?:${QUOTE}),(?:${QUOTE})value(?:${QUOTE})?:[ \\t]{0,8}(?:${secretIn('2')})`,
    flags,
  );

const AUTHORIZATION =
  /authorization["']?[ \t]{0,4}[:=][ \t]{0,4}["']?(?:(?:bearer|basic|token|digest|negotiate|ntlm|apikey|aws4-hmac-sha256)[ \t]{1,4}(?<x>[^\r\n"']{1,4000})|(?<y>[^\s"']{12,4000}))/gi;
const COOKIE = /(?<![\w-])(?:set-)?cookie["']?[ \t]{0,4}[:=][ \t]{0,4}["']?(?<x>[^\r\n"']{1,8000}=[^\r\n"']{1,8000})/gi;
const BEARER = /\b(?:bearer|basic)[ \t]{1,4}(?<x>[A-Za-z0-9._~+/=-]{12,4000})/gi;
/** `.netrc`, and what was read from it. */
const NETRC = /\blogin\s{1,8}\S{1,200}\s{1,8}password\s{1,8}(?<x>\S{1,500})/g;
const CURL_USER = /\s(?:-u|--user|--proxy-user)[ =]["']?(?<x>[^\s:"'/]{1,100}:[^\s"'/]{1,200})(?=["']?(?:\s|$))/g;
const ACCOUNT = /(?:Account(?:Name|Key)|SharedAccess(?:Key|Signature))=(?<x>[^\s;"']{3,500})/g;
const DOCKER_AUTH = /\b_?auth(?:Token)?["']?[ \t]{0,4}[:=][ \t]{0,4}["']?(?<x>[A-Za-z0-9+/_=-]{12,2000})/g;
/** A query's signed part, also where no scheme stands before the address. */
const QUERY =
  /[?&](?:sig|signature|x-amz-[a-z-]{4,30}|awsaccesskeyid|x-goog-[a-z-]{4,30}|code|key|auth)=(?<x>[^\s&"'<>]{4,4000})/gi;
const PRIVATE_KEY = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY[A-Z ]{0,10}-----(?<x>(?:[^-]|-(?!----)){1,20000})/g;
const PUBLIC_KEY =
  /\b(?:ssh-(?:rsa|dss|ed25519)|ecdsa-sha2-[a-z0-9-]{4,30}|sk-[a-z0-9@.-]{4,40})[ \t](?<x>AAAA[A-Za-z0-9+/=]{8,4000})/g;
const HEX_SECRET = /(?<![A-Za-z0-9])[0-9a-fA-F]{32,512}(?![A-Za-z0-9])/g;
const BASE64_SECRET = /(?<![A-Za-z0-9+/=_-])[A-Za-z0-9+/_-]{32,4000}={0,2}(?![A-Za-z0-9+/=_-])/g;

export const SECRET_PATTERNS: readonly Pattern[] = [
  { kind: 'secret', regex: PRIVATE_KEY, needs: 'private key', least: 30 },
  { kind: 'secret', regex: PUBLIC_KEY, needs: 'aaaa', least: 20 },
  { kind: 'secret', regex: TOKEN_FORMS, least: 10 },
  { kind: 'secret', regex: assigned(PASSWORD, 'gi'), least: 5, accepts: isPassword },
  { kind: 'secret', regex: /(?<![A-Za-z])pwd=(?!["']?[\\/~])(?<x>[^\s"';&]{1,500})/gi, needs: 'pwd=' },
  { kind: 'secret', regex: assigned(TOKEN, 'gi'), least: 9, accepts: isToken },
  { kind: 'secret', regex: option(PASSWORD, 'gi'), needs: '-', least: 8, accepts: isPassword },
  { kind: 'secret', regex: option(TOKEN, 'gi'), needs: '-', least: 8, accepts: isToken },
  { kind: 'secret', regex: environment(`${PASSWORD}|${TOKEN}`, 'gi'), needs: 'value', least: 20, accepts: isToken },
  { kind: 'secret', regex: AUTHORIZATION, needs: 'authorization', accepts: isToken },
  { kind: 'secret', regex: COOKIE, needs: 'cookie' },
  { kind: 'secret', regex: BEARER, needs: ' ', least: 18, accepts: looksKeyed },
  { kind: 'secret', regex: NETRC, needs: 'password' },
  { kind: 'secret', regex: CURL_USER, needs: '-u', least: 8 },
  { kind: 'secret', regex: ACCOUNT, needs: '=', least: 14 },
  { kind: 'secret', regex: DOCKER_AUTH, needs: 'auth', accepts: looksKeyed },
  { kind: 'secret', regex: QUERY, needs: '=', accepts: isToken },
  { kind: 'secret', regex: HEX_SECRET, least: 32, accepts: (text) => /\d/.test(text) && /[a-f]/i.test(text) },
  { kind: 'secret', regex: BASE64_SECRET, least: 32, accepts: looksRandom },
];

const SAYS_NOTHING =
  /^(?:\*+|\*{2,}\w{1,20}\*{2,}|x{3,}|\.{3,}|<[\w -]+>|none|null|nil|true|false|missing|invalid|incorrect|wrong|unset|unknown|empty|required|expired|denied|not|is|was|for|redacted|omitted|masked|secret-\d+|secretKeyRef|valueFrom|str|int|bytes|bool)$/i;
/** Source text in a traceback: `token = self.tokenizer.encode(x)`. */
const CODE =
  /^(?:self|cls|os|sys|args|kwargs|cfg|config|conf|settings|env|environ|torch|tokenizer|model|batch|getattr|get_\w+|Optional)[.([]/;

/** What stands for a value but is none, is masked, or is code, stays. */
function isPassword(text: string): boolean {
  return !SAYS_NOTHING.test(text) && !CODE.test(text);
}

/** A count of tokens (`token: 32000`) and a word of three letters are no key; a name that a stand-in replaced is none any more. */
function isToken(text: string): boolean {
  return text.length >= 4 && !/^\d{1,7}$/.test(text) && isPassword(text);
}

/** `Bearer authentication` is prose: a key holds a digit, a sign of base64, or capitals within. */
function looksKeyed(text: string): boolean {
  return /\d|=$|[a-z][A-Z]/.test(text);
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
