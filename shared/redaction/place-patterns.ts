/** Paths and images, by their form or by the word before them. */
import type { Pattern } from './pattern.ts';
import { isPublicHost, isPublicImage, isPublicSite, isSystemPath } from './public-names.ts';

/** Letters of any script: a folder may be called by its project's name in any language. */
const LETTER = '\\p{L}\\p{M}\\p{N}_';
/** Nothing of a relative path, of a glob or of an address stands before a path; a colon may (`ckpt:/mnt/x`). */
const START = `(?<![${LETTER}./~*-])(?<!:(?=//))`;
const FIRST = `[${LETTER}.@+=~-]{0,255}`;
const FOLDER = `[${LETTER}.@+=~%,-]{1,255}`;

/** A whole absolute path. What is replaced are its folders: the name of the file tells which script it was. */
const PATH = new RegExp(`${START}(?<x>(?:~|/)${FIRST}(?:/${FOLDER}){1,40})/${FOLDER}`, 'gu');
const ROOTS =
  '(?:home|Users|users|mnt|media|data|datasets?|dataset|models?|checkpoints?|ckpts?|experiments?|workspaces?|scratch|nfs|lustre|gpfs|fsx|efs|ceph|cephfs|juicefs|nas|ssd|nvme|raid|disk|volumes?|mounts?|work|projects?|shared|storage|root|opt|srv|var|tmp|exports?|vast|weka|beegfs)\\d{0,3}';
/** One folder below a root of customers' data goes; of a file that lies in a folder of the root the name stays. */
const SHORT_PATH = new RegExp(
  `${START}(?<x>/${ROOTS}/[${LETTER}@+=~%-]{1,255})(?![${LETTER}./~%-])|${START}(?<y>/[${LETTER}@+=~%-]{1,255})/[${LETTER}@+=~%-]{1,255}\\.[${LETTER}.-]{1,32}(?![${LETTER}/~%-])`,
  'gu',
);
/** A path in quotes may hold blanks. */
const QUOTED_PATH = /(?<=["'])(?<x>\/[^"'\n<>|]{1,500})\/[^"'\n/<>|]{1,255}(?=["'])/g;
/** Backslashes single, or doubled as in JSON. */
const WINDOWS_PATH = /(?<![\w])(?<x>[A-Za-z]:\\{1,2}(?:[\p{L}\p{M}\p{N}_.@+=~ -]{1,120}\\{1,2}){1,20})/gu;
const FILE_SERVER =
  /(?<![\w\\])(?<x>\\\\[\w.-]{2,63}\\[\w.$@+=~ -]{1,120}(?:\\[\w.$@+=~ -]{1,120}){0,20}|\\{4}[\w.-]{2,63}(?:\\\\[\w.$@+=~ -]{1,120}){1,20})\\/g;

const IMAGE =
  /(?<![A-Za-z0-9./:_-])(?:[A-Za-z0-9-]{1,63}\.){1,8}[A-Za-z0-9-]{1,63}(?::\d{2,5})?\/[a-z0-9][a-z0-9._/-]{0,200}(?::[\w][\w.-]{0,127}|@sha256:[0-9a-f]{64})(?![\w])/g;
/** `image: acme/train`, `Pulling image "acme/train:3"`, `imageID: docker-pullable://…`. */
const NAMED_IMAGE =
  /\bimage(?:ID|Name)?["']?(?:[ \t]{0,8}[:=][ \t]{0,8}["']?|[ \t]{1,4}["'])(?<x>[A-Za-z0-9][^\s"',{}[\]]{2,400})/g;

export const PLACE_PATTERNS: readonly Pattern[] = [
  { kind: 'image', regex: NAMED_IMAGE, needs: 'image', least: 9, accepts: isForeignImage },
  { kind: 'image', regex: IMAGE, needs: '/', least: 8, accepts: (text) => !isPublicImage(text) && !isPublicSite(text) },
  { kind: 'path', regex: QUOTED_PATH, needs: '/', accepts: (text) => text.includes(' ') && !isSystemPath(text) },
  { kind: 'path', regex: PATH, needs: '/', accepts: (text) => !isSystemPath(text) },
  { kind: 'path', regex: SHORT_PATH, needs: '/', accepts: (text) => !isSystemPath(text) },
  { kind: 'path', regex: WINDOWS_PATH, needs: ':\\' },
  { kind: 'path', regex: FILE_SERVER, needs: '\\\\' },
];

/** A word alone beside `image:` (`image: missing`) and a figure (`image 3/10`) are none. */
function isForeignImage(text: string): boolean {
  return /[/:]/.test(text) && /[A-Za-z]/.test(text) && !isPublicImage(text) && !isPublicHost(text);
}
