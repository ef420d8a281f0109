/** Replaces what was derived from a case's own input: report and views, in one transaction. Bytes, entries and events stay as they are. */
import { type BlockCodec, preferredCodec } from './block-codec.ts';
import { prepareInserts } from './queries/insert-queries.ts';
import { prepareRevisions } from './queries/revision-queries.ts';
import { openDurable } from './sqlite.ts';
import { pieceNames, writeView } from './stored-view.ts';

export interface Revision {
  readonly reportJson: string;
  /** By name; undefined = the case has nothing to draw of that kind. */
  readonly views: readonly { readonly name: string; readonly value: unknown }[];
}

/** All or nothing. Throws if the file cannot be written. */
export function reviseCase(file: string, { reportJson, views }: Revision, codec: BlockCodec = preferredCodec()): void {
  const db = openDurable(file);
  try {
    const revise = prepareRevisions(db);
    const insert = prepareInserts(db);
    db.transaction(() => {
      revise.removeReport.run();
      insert.report.run(reportJson);
      for (const { name, value } of views) {
        revise.removeView.run({ name, ...pieceNames(name) });
        if (value === undefined) continue;
        writeView(name, value, codec, (row, bytes, packed, data) => insert.view.run(row, bytes, packed, data));
      }
    }).immediate();
  } finally {
    db.close();
  }
}
