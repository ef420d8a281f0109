/** Ways in which a bundle loses evidence or gains confusion between the cluster and us. Same files, same ways, in the same order. */
import type { BundleFiles } from './in-memory-import.ts';
import { shuffleFiles, withoutFiles } from './transform.ts';

const HOUR_MS = 3_600_000;

export function* hurtWays(files: BundleFiles): Generator<readonly [way: string, files: BundleFiles]> {
  const paths = [...files.keys()];
  yield ['whole', files];
  for (const path of paths) yield [`without ${path}`, withoutFiles(files, (other) => other === path)];
  for (const [pod, own] of podFiles(files)) {
    yield [`without the files of ${pod}`, withoutFiles(files, (path) => own.has(path))];
    yield [`without the logs of all but ${pod}`, withoutFiles(files, (path) => isLog(path) && !own.has(path))];
    for (const hours of [-1, 1]) yield [`${pod} ${hours} h off`, shifted(files, own, hours * HOUR_MS)];
  }
  yield ['without dumps', withoutFiles(files, isDump)];
  yield ['without logs', withoutFiles(files, isLog)];
  yield ['without YAML', withoutFiles(files, isDocument)];
  yield ['dumps only', withoutFiles(files, (path) => !isDump(path))];
  yield ['logs only', withoutFiles(files, (path) => !isLog(path))];
  yield ['documents only', withoutFiles(files, (path) => !isDocument(path))];
  for (const path of paths) {
    yield [`${path} cut at its end`, cut(files, path, 0, 0.5)];
    yield [`${path} cut late`, cut(files, path, 0, 0.85)];
    if (isLog(path)) {
      yield [`${path} cut at its start`, cut(files, path, 0.5, 1)];
      yield [`${path} twice`, new Map([...files, [`again/${path}`, bytesOf(files, path)]])];
    }
  }
  yield ['all logs without their last fifth', paths.filter(isLog).reduce((all, path) => cut(all, path, 0, 0.8), files)];
  yield [
    'all logs without their first fifth',
    paths.filter(isLog).reduce((all, path) => cut(all, path, 0.2, 1), files),
  ];
  yield ['another order', shuffleFiles(files, 7)];
  yield [
    'flat names',
    new Map(
      [...files].map(([path, bytes], i) => [isDump(path) ? path : `file-${i}.${isLog(path) ? 'log' : 'yaml'}`, bytes]),
    ),
  ];
}

const isDump = (path: string): boolean => /trace_rank|_rank_\d+$|\.pkl$/.test(path);
const isDocument = (path: string): boolean =>
  /\.(ya?ml|json)$/.test(path) && !/error\.json$/.test(path) && !isDump(path);
const isLog = (path: string): boolean => !isDump(path) && !isDocument(path);

function bytesOf(files: BundleFiles, path: string): Uint8Array {
  const bytes = files.get(path);
  if (bytes === undefined) throw new Error(`no ${path}`);
  return bytes;
}

function cut(files: BundleFiles, path: string, from: number, to: number): BundleFiles {
  const bytes = bytesOf(files, path);
  const part = bytes.subarray(Math.floor(bytes.length * from), Math.floor(bytes.length * to));
  return new Map([...files].map(([other, own]) => [other, other === path ? part : own]));
}

/** Files by what names their Pod: the file itself, or the folder below `pods/` or `torchrun/`. Dumps belong to nobody by name. */
function podFiles(files: BundleFiles): Map<string, Set<string>> {
  const pods = new Map<string, Set<string>>();
  for (const path of files.keys()) {
    if (!isLog(path)) continue;
    const pod =
      /pods\/[^/_]+_([^/_]+)_/.exec(path)?.[1] ??
      /torchrun\/([^/]+)\//.exec(path)?.[1] ??
      path.replace(/^.*\//, '').replace(/[._]previous|\.\w+$/g, '');
    pods.set(pod, new Set([...(pods.get(pod) ?? []), path]));
  }
  return pods;
}

const STAMP = /\b(\d{4}-\d\d-\d\d)([T ])(\d\d:\d\d:\d\d)/g;
const GLOG = /\b([IWEF])(\d\d)(\d\d) (\d\d:\d\d:\d\d)/g;

/** Stamps of these logs are moved; those of dumps are left, as where a log collector stamped lines by its own clock. */
function shifted(files: BundleFiles, own: ReadonlySet<string>, ms: number): BundleFiles {
  const move = (day: string, time: string): string => new Date(Date.parse(`${day}T${time}Z`) + ms).toISOString();
  const moved = (text: string): string =>
    text
      .replace(STAMP, (_, day: string, sep: string, time: string) => move(day, time).slice(0, 19).replace('T', sep))
      .replace(GLOG, (_, level: string, month: string, day: string, time: string) => {
        const to = move(`2026-${month}-${day}`, time);
        return `${level}${to.slice(5, 7)}${to.slice(8, 10)} ${to.slice(11, 19)}`;
      });
  return new Map(
    [...files].map(([path, bytes]) => [
      path,
      own.has(path) ? new TextEncoder().encode(moved(new TextDecoder('utf8').decode(bytes))) : bytes,
    ]),
  );
}
