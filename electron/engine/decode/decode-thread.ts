/** What a decoding thread runs where the program runs from its sources: the decoder and nothing else. */
import { runIfDecodeWorker } from './decode-worker.ts';

runIfDecodeWorker();
