/**
 * Causal class of an error from its own words: type, message, frames. First match wins; the order is the argument:
 * what a message says about a device or a file outranks the library that raised it, and anything about waiting for
 * others is a consequence whatever its type.
 */
import type { ExceptionClass, StackFrame } from '../../model/events.ts';

interface ClassRule {
  readonly class: ExceptionClass;
  readonly type?: RegExp;
  readonly text?: RegExp;
  readonly unless?: RegExp;
}

/** Regular expressions see at most this many characters of a message. */
const MAX_TEXT = 4000;

const RULES: readonly ClassRule[] = [
  { class: 'interrupt', type: /^KeyboardInterrupt$/ },
  { class: 'signal', type: /^SignalException$/ },
  {
    class: 'collective-mismatch',
    text: /Detected mismatch between collectives on ranks|running inconsistent collective|op\.preamble\.length <= op\.nbytes|DDP expects same model across all ranks/,
  },
  { class: 'port-in-use', text: /EADDRINUSE|[Aa]ddress already in use/ },
  { class: 'distributed', text: /allocate more than 1EB memory/ },
  // Horovod on every rank but the one that ended or left first.
  { class: 'distributed', text: /^Horovod has been shut down\b/ },
  // Told beside it as NCCL's warning, which names both ranks; each member of the communicator raises it.
  { class: 'distributed', text: /Duplicate GPU detected/ },
  // torch's Join context, told to throw: what every rank raises when one of them came to its end.
  { class: 'distributed', text: /^Detected at least one rank that exhausted inputs\. Throwing across all ranks/ },
  // Of torch.multiprocessing.spawn, whose type was plain `Exception` at first.
  { class: 'wrapper', text: /^process \d{1,5} terminated with (?:signal|exit code) / },
  // Ray's driver on a worker that its memory monitor killed: host memory, told beside it.
  { class: 'wrapper', text: /^Task was killed due to the node running low on memory/ },
  {
    class: 'cuda-out-of-memory',
    text: /(?:CUDA|HIP|XPU) out of memory|CUDA error: out of memory|CUBLAS_STATUS_ALLOC_FAILED|CUDNN_STATUS_ALLOC_FAILED|Cuda failure (?:\d{1,3} )?'out of memory'|Failed to CUDA calloc|CUDA driver error: out of memory/,
  },
  { class: 'cuda-out-of-memory', type: /^OutOfMemoryError$/, unless: /host|CPU|RAM/ },
  { class: 'host-memory', type: /^MemoryError$/ },
  {
    class: 'host-memory',
    text: /DefaultCPUAllocator: (?:can't allocate|not enough) memory|Cannot allocate memory|std::bad_alloc/,
  },
  {
    class: 'configuration',
    text: /invalid device ordinal|No CUDA GPUs are available|Torch not compiled with CUDA enabled|CUDA driver version is insufficient|environment variable \w{1,40} expected, but not set|unrecognized arguments/,
  },
  {
    class: 'gpu-hardware',
    text: /uncorrectable (?:ECC|NVLink) error|GPU is lost|fallen off the bus|system not yet initialized|Unable to determine the device handle|CUDA error: unknown error|Cuda failure (?:\d{1,3} )?'unknown error'|hardware stack error|NVML_ERROR_GPU_IS_LOST/,
  },
  // Of a GPU's block, not of the host: what a kernel asks for there is fixed when it is compiled.
  { class: 'configuration', text: /out of resource: shared memory|shared memory, Required: \d/ },
  {
    class: 'shared-memory',
    text: /posix_fallocate|shared memory segment|(?:insufficient|out of) shared memory|[Uu]nexpected bus error|signal: Bus error/,
  },
  {
    class: 'shared-memory',
    text: /(?:shared memory|\(shm\)|<\/torch_\d)[\s\S]{0,300}No space left|No space left on device[\s\S]{0,200}\/dev\/shm|\/dev\/shm[\s\S]{0,200}No space left/,
  },
  { class: 'data-loader', text: /DataLoader worker \(pid|DataLoader timed out/ },
  {
    class: 'cuda-error',
    text: /CUDA error: |Cuda failure|cuDNN error|CUBLAS_STATUS_|CUDNN_STATUS_|cuBLAS error|HIP error: |device-side assert|CUDA driver error|nvrtc: error/,
  },
  { class: 'cuda-error', type: /^(?:AcceleratorError|CudaError|CUDARuntimeError)$/ },
  { class: 'rendezvous', type: /^Rendezvous\w{0,30}Error$/ },
  {
    class: 'rendezvous',
    text: /The client socket has timed out|seconds waiting for clients\.|in store based barrier on rank|connect\(\) timed out\. Original timeout was|failed to (?:send a keep-alive heartbeat to|shutdown) the rendezvous/,
  },
  {
    class: 'wrapper',
    type: /^(?:ChildFailedError|ProcessRaisedException|ProcessExitedException|RayActorError|ActorDiedError|RayTaskError|WorkerCrashedError|NodeDiedError|OwnerDiedError|ActorUnavailableError|LocalRayletDiedError|CalledProcessError|BrokenProcessPool|CheckpointException|TrainingFailedError|RemoteTraceback)$/,
  },
  {
    class: 'distributed',
    type: /^(?:DistBackendError|DistNetworkError|DistStoreError|DistError|DistQueueEmptyError|HorovodInternalError)$/,
  },
  {
    class: 'distributed',
    text: /NCCL error|NCCL communicator was aborted|nccl[A-Z]\w{3,40}(?:Error|Usage|Argument)|Watchdog caught|\/gloo\/|[Gg]loo connectFullMesh|Connection closed by peer \[|Timed out waiting \d{1,12} ?ms|Socket Timeout|[Ww]ait timeout after|Failed to recv, got 0 bytes|store->get|monitoredBarrier|NCCL operation timed out|Application timeout caused pair closure|timeout watchdog detected|timed out in blocking wait|\bWorkNCCL\(/,
  },
  { class: 'numerics', type: /^(?:FloatingPointError|NaNError|NonFiniteError)$/ },
  {
    class: 'numerics',
    text: /\b(?:found|detected|got|is|was|are|returned|result|contains?|became|encountered|with)\b.{0,40}\b(?:NaN|nan|Inf|inf|NaNs|non-?finite)\b|\b(?:NaN|nan|Inf|inf|NaNs|[Nn]on-?finite)\b.{0,40}\b(?:loss|grad|gradients?|norm|values?|weights?|detected|found|encountered)\b|loss scale (?:is )?(?:already at minimum|reached)|[Mm]inimum loss scale/,
  },
  {
    class: 'storage',
    text: /No space left on device|Input\/output error|Stale (?:NFS )?file handle|Read-only file system|Disk quota exceeded|Remote I\/O error|Transport endpoint is not connected|Structure needs cleaning|PytorchStreamWriter failed|PytorchStreamReader failed|failed writing file|unexpected pos \d|\[Errno (?:5|28|30|116|121|122)\]|Bad file descriptor/,
  },
  {
    class: 'storage',
    type: /^(?:FileNotFoundError|PermissionError|IsADirectoryError|NotADirectoryError|BlockingIOError|EndpointConnectionError|ClientError|S3Error|NoCredentialsError|HdfsError|SafetensorError)$/,
  },
  {
    class: 'configuration',
    type: /^(?:ImportError|ModuleNotFoundError|ArgumentError|SyntaxError|IndentationError|ConfigAttributeError|ConfigKeyError|MissingMandatoryValue|ValidationError|MissingConfigException|ConfigCompositionException)$/,
  },
];

const DATA_NAME =
  /^(?:__getitems?__|_?collate(?:_fn)?\w{0,40}|default_collate|decode\w{0,40}|parse_(?:example|record|line)\w{0,20}|read_(?:record|example|sample|shard)\w{0,20})$/;
const DATA_FILE =
  /(?:^|\/)(?:[\w-]{0,60}dataset[\w-]{0,60}|data_?loader\w{0,30}|collat\w{1,40}|fetch|data_utils|webdataset[\w-]{0,20}|datapipes?)\.py$|\/(?:datasets|dataloaders|webdataset|datapipes)\//i;
const DATA_TYPE =
  /^(?:UnicodeDecodeError|JSONDecodeError|UnidentifiedImageError|BadGzipFile|BadZipFile|DecompressionBombError|ArrowInvalid)$/;
const REMOTE_STORE = /\/(?:botocore|boto3|s3fs|gcsfs|adlfs|fsspec|aiobotocore|hdfs|smart_open)\//;
const CONNECTION_TYPE =
  /^(?:ConnectionResetError|BrokenPipeError|ConnectionRefusedError|ConnectionAbortedError|EOFError)$/;
/** Whose sockets lead to other processes of the job: torch's store and queues, and the libraries that start processes. */
const JOB_SOCKET =
  /\/(?:torch|multiprocessing|multiprocess|concurrent\/futures|billiard|ray|deepspeed|accelerate|mpi4py|horovod|lightning|lightning_fabric|pytorch_lightning|megatron)\/|<string>/;
/** Libraries that speak to a service outside the job. */
const SERVICE_CLIENT =
  /\/(?:http\/client|urllib\/request|urllib3\/|requests\/|httpx\/|httpcore\/|aiohttp\/|redis\/|pymongo\/|psycopg\w{0,4}\/|pymysql\/|kafka\/|wandb\/|mlflow\/|grpc\/|paramiko\/|smtplib|ftplib)/;
/** A resource behind a host, not a bare end of a connection (`tcp://10.0.0.7:29500`, `10.0.0.7:41234`). */
const RESOURCE_ADDRESS = /\b(?:https?|s3a?|gs|gcs|abfss?|az|oss|hdfs|ftps?|sftp|hf):\/\/[\w[]/;

/** Class of an exception. `type` may be dotted; `frames` innermost first; `message` may have several lines. */
export function classifyException(type: string, message: string, frames: readonly StackFrame[]): ExceptionClass {
  const name = (type.split('.').at(-1) ?? type).replace(/\(.*$/, '');
  const text = decisiveText(message).slice(0, MAX_TEXT);
  for (const rule of RULES) {
    if (rule.type !== undefined && !rule.type.test(name)) continue;
    if (rule.text !== undefined && !rule.text.test(text)) continue;
    if (rule.unless?.test(text)) continue;
    return rule.class;
  }
  if (frames.some((frame) => REMOTE_STORE.test(frame.file))) return 'storage';
  if (CONNECTION_TYPE.test(name) && !isOfAService(name, text, frames)) return 'distributed';
  if (DATA_TYPE.test(name) || frames.some((frame) => DATA_NAME.test(frame.name) || DATA_FILE.test(frame.file)))
    return 'data-input';
  return isCutWait(name, text, frames) ? 'distributed' : 'python';
}

/** Of a message that begins with a place in C++ sources, its beginning alone: `[/__w/pytorch/pyt`. */
const PLACE_BEGUN = /^\[\/[^\]\s]*$/;
/** How the messages begin that say of a wait or of peers, up to the words that tell; numbers as 0. */
const SENTENCES = [
  'Rank 0 successfully reached monitoredBarrier',
  '[Rank 0]: Rank 0 failed to pass monitoredBarrier',
  '[Rank 0]: Ranks 0, 0 failed to pass monitoredBarrier',
  'Detected mismatch between collectives on ranks',
  'Gloo connectFullMesh failed',
  'Application timeout caused pair closure',
  'Connection closed by peer [',
  'Timed out waiting 0ms',
  'Wait timeout after 0ms',
  'wait timeout after 0ms',
  'Socket Timeout',
  'NCCL error',
  'NCCL communicator was aborted',
  'Watchdog caught',
];
const isSentenceBegun = (text: string): boolean =>
  SENTENCES.some((sentence) => sentence.startsWith(text.replace(/\d{1,7}/g, '0')));
/** Where a rank waits for its peers, by the innermost frame. */
const WAIT_FILE = /\/torch\/distributed\//;
const WAIT_NAME = /^(?:_engine_run_backward|run_backward)$/;

/**
 * The end of a log that was cut inside the last line. What C++ raises has a message, so one without was cut before it; raised where a
 * rank waits for its peers it is most often a peer that was lost, and never to be taken for an error of the program.
 */
function isCutWait(name: string, text: string, [innermost]: readonly StackFrame[]): boolean {
  if (innermost === undefined || name === '' || !'RuntimeError'.startsWith(name)) return false;
  if (text !== '' && !PLACE_BEGUN.test(text) && !isSentenceBegun(text)) return false;
  return WAIT_FILE.test(innermost.file) || WAIT_NAME.test(innermost.name);
}

/**
 * A connection that fails is a consequence where its other end is a process of the job. The frames tell: a client of some
 * service among them, or the program's own socket with nothing of torch, of a launcher or of a process pool between, if the connection was
 * refused or the message names the address of a resource: no rank is reached by such a one. Any other reset or closed pipe of the program's own
 * may still be a peer that died.
 */
function isOfAService(name: string, text: string, frames: readonly StackFrame[]): boolean {
  if (frames.length === 0 || frames.some((frame) => JOB_SOCKET.test(frame.file))) return false;
  if (name === 'ConnectionRefusedError' || frames.some((frame) => SERVICE_CLIENT.test(frame.file))) return true;
  return RESOURCE_ADDRESS.test(text);
}

/** Class of an error text without a Python type of its own (`CUDA error: …`, `NCCL error: …`). */
export const classifyError = (text: string): ExceptionClass => classifyException('', text, []);

/**
 * NCCL's explanation is generic; only what follows `Last error:` carries information, so that alone decides where it
 * speaks of this process (CUDA, shared memory, a duplicate GPU).
 */
function decisiveText(message: string): string {
  const at = message.indexOf('Last error:');
  if (at < 0) return message;
  const last = message.slice(at + 'Last error:'.length).trim();
  return /Cuda failure|CUDA calloc|shared memory|\/dev\/shm|posix_fallocate|Duplicate GPU/.test(last) ? last : message;
}
