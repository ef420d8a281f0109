/** A batch of blocks in one go: what a worker thread does, and the engine's own thread where there are no workers. */
import type { Plan } from '#shared/search/plan.ts';
import { ROOM_BYTES } from '../store/block-unpacker.ts';
import { LineColumns } from './block-facts.ts';
import type { TickBits } from './block-outline.ts';
import type { CaseIndex } from './case-index.ts';
import { type BlockHits, HitColumns, scanBlock } from './scan-block.ts';
import { planSearch, type SearchRequest } from './search-request.ts';
import { Tally, type TallySnapshot } from './tally.ts';

/** What is wanted beside the lines that match. */
export interface BatchWish {
  /** What is needed to put the matches in order and to fold them. */
  readonly detail: boolean;
  /** Outlines of blocks all of whose lines match. */
  readonly outline: TickBits | null;
}

export interface BatchResult {
  /** Blocks with at least one match. */
  readonly hits: readonly BlockHits[];
  readonly tally: TallySnapshot;
  /** Blocks that could not be read. */
  readonly damaged: number;
}

export class BatchScanner {
  readonly #index: CaseIndex;
  readonly #request: SearchRequest;
  readonly #plan: Plan | undefined;
  readonly #columns = new LineColumns();
  readonly #hits = new HitColumns();
  readonly #room = Buffer.allocUnsafeSlow(ROOM_BYTES);

  constructor(index: CaseIndex, request: SearchRequest) {
    this.#index = index;
    this.#request = request;
    const planned = planSearch(index, request);
    this.#plan = planned.ok ? planned.value.plan : undefined;
  }

  scan(blocks: Int32Array, { detail, outline }: BatchWish): BatchResult {
    const tally = new Tally();
    const hits: BlockHits[] = [];
    let damaged = 0;
    if (this.#plan !== undefined) {
      const { basis, matchCase } = this.#request;
      const options = {
        index: this.#index,
        plan: this.#plan,
        basis,
        matchCase,
        tally,
        detail,
        outline,
        columns: this.#columns,
        hits: this.#hits,
        room: this.#room,
      };
      for (const block of blocks) {
        try {
          const found = scanBlock(block, options);
          if (found.count > 0) hits.push(found);
        } catch (error) {
          if (!(error instanceof Error && error.name === 'UnreadableBlockError')) throw error;
          damaged += 1;
        }
      }
    }
    return { hits, tally: tally.snapshot(), damaged };
  }
}
