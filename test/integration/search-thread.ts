/** The program's own file as a search thread sees it. */
import { runIfSearchWorker } from '#engine/search/search-worker.ts';

runIfSearchWorker();
