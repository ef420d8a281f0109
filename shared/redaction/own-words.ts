/**
 * Words that a report writes itself, or that every job has. They name nobody, and replacing them would make a report unreadable: a Pod
 * that is called `worker` keeps its name, and the preview says so.
 */
const WORDS = `
rank ranks node nodes pod pods host hosts container containers bundle file files record records line lines byte bytes dump dumps
call calls group groups collective collectives watchdog timeout evidence verdict finding findings gap gaps clock clocks case report
issue issues settings manifest section page time times unknown first victim bystander none present absent partial unreadable empty
truncated failed refused read skipped duplicate missing reference established supported hypothesis
allreduce all_reduce allgather all_gather reduce_scatter reducescatter broadcast barrier send recv gather scatter reduce coalesced
alltoall all_to_all _allgather_base _reduce_scatter_base default default_pg nccl gloo ucc mpi torch pytorch cuda cudnn gpu gpus cpu python torchrun
elastic kubectl kubernetes kube-system kube-public kube-node-lease worker workers master launcher trainer train training chief main job jobs logs log
previous events api server error warning info debug stdout stderr localhost root user ubuntu nobody system service daemon true false
null success running pending started completed enqueued waiting local global world size state input output data model node-clock
`;
const OWN: ReadonlySet<string> = new Set(WORDS.split(/\s+/).filter((word) => word !== ''));

/** True for words that are never replaced. Names without a letter count: rank numbers, ports and codes stay. */
export const isOwnWord = (name: string): boolean => OWN.has(name.toLowerCase()) || !/\p{L}/u.test(name);
