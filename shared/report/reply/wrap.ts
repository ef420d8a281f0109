const WIDTH = 78;

/** Breaks at spaces; further lines are indented by the width of `first`. A word that is too long keeps its own line. */
export function wrap(text: string, first = ''): string {
  const lines: string[] = [];
  let line = first;
  let empty = true;
  for (const word of text.split(' ')) {
    if (!empty && line.length + 1 + word.length > WIDTH) {
      lines.push(line);
      line = ' '.repeat(first.length) + word;
    } else line += empty ? word : ` ${word}`;
    empty = false;
  }
  return [...lines, line].join('\n');
}
