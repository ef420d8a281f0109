/** Answers of the engine as the charts draw them: texts escaped, rows of each lane found. */
import type { Methods } from '#shared/rpc/contract.ts';
import type { CellPicture, SlicePicture } from '../../charts/lane-scene.ts';
import { escapeText } from '../../viewmodels/escape-text.ts';
import type { TimeSpan } from '../../viewmodels/timeline/span.ts';

type Answer = Methods['timeline.lanes']['result'];

export function slicesOf(
  answer: Extract<Answer, { kind: 'slices' }>,
  span: TimeSpan,
  lanes: readonly number[],
): SlicePicture {
  const { slices, instants, texts } = answer;
  return {
    span,
    rowsOf: ranges(slices.lane, lanes),
    instantsOf: ranges(instants.lane, lanes),
    ...slices,
    instants,
    texts: texts.map(escapeText),
  };
}

export function cellsOf(
  answer: Extract<Answer, { kind: 'cells' }>,
  span: TimeSpan,
  lanes: readonly number[],
): CellPicture {
  return { span, columns: answer.columns, cells: answer.cells, rowOf: new Map(lanes.map((lane, row) => [lane, row])) };
}

/** Rows of each lane; every lane of the request is there, with none if it has none. */
function ranges(column: Int32Array, lanes: readonly number[]): Map<number, readonly [number, number]> {
  const found = new Map<number, readonly [number, number]>();
  let at = 0;
  lanes.forEach((lane, i) => {
    const from = at;
    while (at < column.length && column[at] === i) at += 1;
    found.set(lane, [from, at]);
  });
  return found;
}
