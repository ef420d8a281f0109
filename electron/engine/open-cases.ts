/** Cases that are open for reading. A few stay open: the next question about them is answered without opening anything. */
import type { Result } from '#shared/lib/result.ts';
import { err, ok } from '#shared/lib/result.ts';
import type { CaseSummary } from '#shared/model/case.ts';
import type { CaseId } from '#shared/model/ids.ts';
import type { RpcError } from '#shared/rpc/contract.ts';
import { type CasePlace, placeInFolder } from './case-files.ts';
import type { CaseLibrary } from './case-library.ts';
import { CaseReader } from './store/case-reader.ts';

const MAX_OPEN = 8;

export class OpenCases {
  readonly #library: CaseLibrary;
  /** Least recently used first. */
  readonly #open = new Map<CaseId, CaseReader>();
  /** Cases outside the library: files of the user's, and those that are not kept. */
  readonly #elsewhere = new Map<CaseId, { readonly place: CasePlace; readonly summary: CaseSummary }>();

  constructor(library: CaseLibrary) {
    this.#library = library;
  }

  addElsewhere(summary: CaseSummary, place: CasePlace): void {
    this.#elsewhere.set(summary.caseId, { place, summary });
  }

  has(id: CaseId): boolean {
    return this.#elsewhere.has(id) || this.#library.folderOf(id) !== undefined;
  }

  summary(id: CaseId): CaseSummary | undefined {
    return this.#elsewhere.get(id)?.summary ?? this.#library.summary(id);
  }

  /** Where a case's files are; undefined if there is none of this id. */
  place(id: CaseId): CasePlace | undefined {
    const folder = this.#library.folderOf(id);
    return this.#elsewhere.get(id)?.place ?? (folder === undefined ? undefined : placeInFolder(folder));
  }

  /** The reader of a case; it belongs to this object, do not close it. */
  reader(id: CaseId): Result<CaseReader, RpcError> {
    const known = this.#open.get(id);
    if (known !== undefined) {
      this.#open.delete(id);
      this.#open.set(id, known);
      return ok(known);
    }
    const place = this.place(id);
    if (place === undefined) return err({ code: 'case-not-found', detail: id });
    const opened = CaseReader.open(place.caseDb);
    if (!opened.ok) return opened;
    this.#open.set(id, opened.value);
    for (const [oldest, reader] of this.#open) {
      if (this.#open.size <= MAX_OPEN) break;
      reader.close();
      this.#open.delete(oldest);
    }
    return opened;
  }

  /** Closes the files of one case, so that they can be removed. */
  release(id: CaseId): void {
    this.#open.get(id)?.close();
    this.#open.delete(id);
    this.#elsewhere.delete(id);
  }

  close(): void {
    for (const reader of this.#open.values()) reader.close();
    this.#open.clear();
  }
}
