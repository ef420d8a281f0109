/**
 * What an empty file was meant to be. Content cannot tell, so its name may: an empty dump or log is evidence of its own
 * (a rank that could not write, a Pod that said nothing). Undefined for archives, pictures and unknown names.
 */
export function emptyKind(path: string): string | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  if (/(?:nccl_trace|_dump_|flight|rank_?\d+$)/.test(name) && !/\.(?:log|txt|out|err|tar|gz|tgz|zip)$/.test(name))
    return 'Recorder dump';
  if (/\.(?:log|out|err|stdout|stderr)(?:\.\d+)?$/.test(name)) return 'Log';
  if (/\.(?:ya?ml|json)$/.test(name)) return 'Document';
  if (/(?:describe|events|pods|nodes|dmesg|journal).*\.txt$/.test(name)) return 'Text';
  return undefined;
}
