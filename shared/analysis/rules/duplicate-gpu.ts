/** NCCL refused to start because two ranks were given one GPU: `Duplicate GPU detected : rank 1 and rank 0 both on CUDA device 9d000`. */
import { nameRanksAtStart, rankSet } from '../../lib/rank-set.ts';
import { defineRule } from '../../model/finding.ts';
import { cite, draft, momentOf, quote } from './support/draft.ts';
import { attemptsOf, eventsOf, inAttempt, type PlacedOf } from './support/events.ts';
import { commonPlace } from './support/ranks.ts';

export default defineRule({
  id: 'duplicate-gpu',
  title: 'Two ranks share one GPU',
  needs: ['events', 'rankMap'],
  explain: `
NCCL compares the devices of all ranks when a communicator starts and prints the first pair on the same one. The message names both ranks and the device: direct. Which of the two is on the wrong device it does not say, so both are a group. Every rank
prints it against the first clash that it sees, so the number of messages means nothing. The ranks are those of the communicator, and the first of the two is the printer's own: where the printer's global rank is known and is another number, the communicator is a sub-group, and of its two members the printer alone is named. Without that they may not be global either, which is why it is not more than *supported*.

How sure: *supported*. When it can be wrong: with GPUs that are meant to be shared (MIG, MPS) NCCL refuses all the same, and the mapping is then no mistake of a rank.`,
  remedy:
    'Call torch.cuda.set_device(int(os.environ["LOCAL_RANK"])) before the first CUDA call and before init_process_group; check that CUDA_VISIBLE_DEVICES is the same for all processes of a node (or differs by one device each), and that there are no more processes per node than GPUs in the Pod (nvidia-smi -L).',
  run: ({ events, rankMap }) => {
    const found = eventsOf(events, 'nccl-warning').filter((placed) => placed.event.body.class === 'duplicate-gpu');
    return attemptsOf(found).map((attempt) => {
      const here = inAttempt(found, attempt);
      const ranks = rankSet(here.flatMap(sharers));
      const inSubgroup = here.some((placed) => isOfSubgroup(placed));
      return draft({
        outcome: 'group',
        status: 'supported',
        stage: 'rendezvous',
        cause: 'duplicate-gpu',
        strength: 'direct',
        firstRanks: ranks,
        ...commonPlace(rankMap, ranks, attempt),
        attempt,
        at: momentOf(here[0]),
        summary: inSubgroup
          ? `${nameRanksAtStart(ranks)} ${ranks.length === 1 ? 'was' : 'were'} given the same GPU as another member of a sub-group, so NCCL could not start; NCCL numbers the members inside that group.`
          : `${nameRanksAtStart(ranks)} were given the same GPU, so NCCL could not start.`,
        because: here.slice(0, 3).map((placed) => cite(placed, quote(placed.event.text, 200))),
        wouldChange: ['the device that each rank chose (NCCL INFO init lines)'],
        nextChecks: ['How the program picks its device from LOCAL_RANK', 'CUDA_VISIBLE_DEVICES and processes per node'],
      });
    });
  },
});

/** The first number is the printer's own rank in the communicator. */
const isOfSubgroup = ({ rank, event }: PlacedOf<'nccl-warning'>): boolean =>
  rank !== undefined && event.body.ranks[0] !== undefined && event.body.ranks[0] !== rank;

/** Global ranks of the two on one GPU, as far as they are known. */
const sharers = (placed: PlacedOf<'nccl-warning'>): readonly number[] =>
  placed.rank !== undefined && isOfSubgroup(placed) ? [placed.rank] : placed.event.body.ranks;
