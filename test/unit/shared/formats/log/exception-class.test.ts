import { expect, it } from 'vitest';
import { classifyException } from '#shared/formats/log/exception-class.ts';
import type { ExceptionClass, StackFrame } from '#shared/model/events.ts';

const frame = (file: string, name: string): StackFrame => ({ file, line: 1, name });

const rows: readonly (readonly [ExceptionClass, string, string, ...StackFrame[]])[] = [
  [
    'cuda-out-of-memory',
    'RuntimeError',
    'CUDA out of memory. Tried to allocate 32.00 MiB (GPU 0; 31.74 GiB total capacity; 30.61 GiB already allocated)',
  ],
  [
    'cuda-out-of-memory',
    'torch.cuda.OutOfMemoryError',
    'CUDA out of memory. Tried to allocate 2.00 GiB. GPU 1 has a total capacity of 79 GiB',
  ],
  ['cuda-out-of-memory', 'torch.OutOfMemoryError', 'HIP out of memory.'],
  ['cuda-out-of-memory', 'RuntimeError', 'CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling `cublasCreate(handle)`'],
  [
    'cuda-out-of-memory',
    'torch.distributed.DistBackendError',
    "NCCL error in: x.cpp:94, unhandled cuda error\nncclUnhandledCudaError: Call to CUDA function failed.\nLast error:\nCuda failure 2 'out of memory'",
  ],
  ['distributed', 'RuntimeError', 'Tried to allocate more than 1EB memory'],
  ['distributed', 'RuntimeError', 'Detected at least one rank that exhausted inputs. Throwing across all ranks.'],
  ['python', 'RuntimeError', 'Rank 1 exhausted all inputs.'],
  ['cuda-error', 'RuntimeError', 'CUDA error: an illegal memory access was encountered'],
  ['cuda-error', 'torch.AcceleratorError', 'CUDA error: device-side assert triggered'],
  ['gpu-hardware', 'RuntimeError', 'CUDA error: uncorrectable ECC error encountered'],
  ['configuration', 'RuntimeError', 'CUDA error: invalid device ordinal'],
  [
    'distributed',
    'torch.distributed.DistBackendError',
    'NCCL error in: x.cpp:7\nLast error:\nDuplicate GPU detected : rank 2 and rank 5 both on CUDA device 1b000',
  ],
  ['numerics', 'FloatingPointError', 'loss is nan at step 14'],
  [
    'numerics',
    'AssertionError',
    'Rank 3: found NaN in local grad norm in backward pass before data-parallel communication collective. Device: 3',
  ],
  ['numerics', 'RuntimeError', "Function 'MulBackward0' returned nan values in its 0th output."],
  ['python', 'ValueError', 'infinite loop in configuration'],
  ['python', 'KeyError', "'class_13'", frame('/w/train.py', 'train')],
  [
    'data-input',
    'ValueError',
    'shard-0001.bin record 83: expected 260 bytes, got 131',
    frame('/w/train.py', 'decode'),
    frame('/w/train.py', '__getitem__'),
  ],
  ['data-input', 'KeyError', "'class_7'", frame('/w/data/dataset.py', 'lookup')],
  ['data-input', 'UnicodeDecodeError', "'utf-8' codec can't decode byte 0xff"],
  ['data-loader', 'RuntimeError', 'DataLoader worker (pid 88213) is killed by signal: Killed. '],
  [
    'shared-memory',
    'RuntimeError',
    "DataLoader worker (pid 7) is killed by signal: Bus error. It is possible that dataloader's workers are out of shared memory.",
  ],
  [
    'shared-memory',
    'RuntimeError',
    'unable to allocate shared memory(shm) for file </torch_6655_547754802_0>: No space left on device (28)',
  ],
  ['shared-memory', 'OSError', "[Errno 28] No space left on device: '/dev/shm/x'"],
  ['configuration', 'OutOfResources', 'out of resource: shared memory, Required: 147456, Hardware limit: 101376.'],
  ['storage', 'PermissionError', "[Errno 13] Permission denied: '/dev/shm/sem.a1'"],
  [
    'python',
    'RuntimeError',
    'unable to open shared memory object </torch_71_3> in read-write mode: Too many open files (24)',
  ],
  [
    'storage',
    'OSError',
    "[Errno 5] Input/output error: '/data/tokens-0-1.bin'",
    frame('/w/data/dataset.py', '__getitem__'),
  ],
  ['storage', 'OSError', '[Errno 28] No space left on device'],
  ['storage', 'FileNotFoundError', "[Errno 2] No such file or directory: '/ckpt/latest'"],
  [
    'storage',
    'RuntimeError',
    '[enforce fail at inline_container.cc:595] PytorchStreamWriter failed writing file data/0: file write failed',
  ],
  [
    'storage',
    'ConnectionResetError',
    '[Errno 104] Connection reset by peer',
    frame('/x/site-packages/botocore/httpsession.py', 'send'),
  ],
  ['host-memory', 'MemoryError', ''],
  [
    'host-memory',
    'RuntimeError',
    "[enforce fail at alloc_cpu.cpp:117] err == 0. DefaultCPUAllocator: can't allocate memory: you tried to allocate 8 bytes.",
  ],
  [
    'collective-mismatch',
    'RuntimeError',
    'Detected mismatch between collectives on ranks. Rank 1 is running collective: x',
  ],
  [
    'port-in-use',
    'torch.distributed.DistNetworkError',
    'The server socket has failed to listen on any local network address. port: 29400, name: EADDRINUSE',
  ],
  ['rendezvous', 'torch.distributed.elastic.rendezvous.api.RendezvousTimeoutError', ''],
  [
    'rendezvous',
    'torch.distributed.DistStoreError',
    'Timed out after 601 seconds waiting for clients. 3/4 clients joined.',
  ],
  ['distributed', 'torch.distributed.DistNetworkError', 'Failed to recv, got 0 bytes. Connection was likely closed.'],
  [
    'distributed',
    'RuntimeError',
    '[/pytorch/third_party/gloo/gloo/transport/tcp/unbound_buffer.cc:78] Timed out waiting 15000ms for recv operation to complete',
  ],
  [
    'distributed',
    'RuntimeError',
    'Rank 4 successfully reached monitoredBarrier, but received errors while waiting for send/recv from rank 0.',
  ],
  ['distributed', 'BrokenPipeError', '[Errno 32] Broken pipe'],
  [
    'python',
    'ConnectionResetError',
    "[Errno 104] Connection reset by peer: 'https://data.example/shard-7'",
    frame('/workspace/train.py', 'main'),
  ],
  [
    'data-input',
    'ConnectionAbortedError',
    'aborted while reading s3://bucket/shard-0007.tar',
    frame('/workspace/dataset.py', '__getitem__'),
  ],
  ['distributed', 'ConnectionResetError', '[Errno 104] Connection reset by peer', frame('/workspace/train.py', 'main')],
  [
    'distributed',
    'ConnectionResetError',
    '[Errno 104] Connection reset by peer: tcp://10.0.0.7:29500',
    frame('/workspace/train.py', 'main'),
  ],
  [
    'distributed',
    'ConnectionResetError',
    "[Errno 104] Connection reset by peer: 'https://data.example/shard-7'",
    frame('/usr/lib/python3.11/multiprocessing/connection.py', '_recv'),
  ],
  ['distributed', 'ConnectionResetError', "[Errno 104] Connection reset by peer: 'https://data.example/shard-7'"],
  // The log ends inside its last line.
  [
    'distributed',
    'Runtime',
    '',
    frame('/opt/venv/lib/python3.11/site-packages/torch/autograd/graph.py', '_engine_run_backward'),
  ],
  [
    'distributed',
    'RuntimeError',
    '',
    frame('/opt/venv/lib/python3.11/site-packages/torch/distributed/distributed_c10d.py', 'barrier'),
  ],
  [
    'distributed',
    'RuntimeError',
    '[/__w/pytorch/pyt',
    frame('/opt/venv/lib/python3.11/site-packages/torch/autograd/graph.py', '_engine_run_backward'),
  ],
  [
    'distributed',
    'RuntimeError',
    'Rank 4 successfully rea',
    frame('/opt/venv/lib/python3.11/site-packages/torch/distributed/distributed_c10d.py', 'monitored_barrier'),
  ],
  [
    'distributed',
    'RuntimeError',
    '[Rank 0]: Rank 12 fai',
    frame('/opt/venv/lib/python3.11/site-packages/torch/distributed/distributed_c10d.py', 'monitored_barrier'),
  ],
  [
    'distributed',
    'RuntimeError',
    'Detected mism',
    frame('/opt/venv/lib/python3.11/site-packages/torch/distributed/distributed_c10d.py', 'all_reduce'),
  ],
  [
    'python',
    'RuntimeError',
    'Detected an odd batch',
    frame('/opt/venv/lib/python3.11/site-packages/torch/distributed/distributed_c10d.py', 'all_reduce'),
  ],
  ['python', 'RuntimeError', 'Rank 4 successfully rea', frame('/workspace/train.py', 'main')],
  ['python', 'RuntimeError', '', frame('/workspace/train.py', 'main')],
  [
    'python',
    'AssertionError',
    '',
    frame('/opt/venv/lib/python3.11/site-packages/torch/distributed/fsdp/_fully_shard/_fsdp_param.py', 'init'),
  ],
  [
    'python',
    'RuntimeError',
    'element 0 of tensors does not require grad',
    frame('/opt/venv/lib/python3.11/site-packages/torch/autograd/graph.py', '_engine_run_backward'),
  ],
  ['wrapper', 'torch.distributed.elastic.multiprocessing.errors.ChildFailedError', ''],
  ['wrapper', 'ray.exceptions.RayTaskError(ValueError)', 'ray::Trainer.fit() (pid=1, ip=10.0.0.4)'],
  ['signal', 'torch.distributed.elastic.multiprocessing.api.SignalException', 'Process 15109 got signal: 15'],
  ['interrupt', 'KeyboardInterrupt', ''],
  ['configuration', 'ModuleNotFoundError', "No module named 'flash_attn'"],
  [
    'configuration',
    'ValueError',
    'Error initializing torch.distributed using env:// rendezvous: environment variable RANK expected, but not set',
  ],
];

it.each(rows.map(([expected, type, message, ...frames]) => [expected, type, message, frames] as const))(
  '%s: %s: %s',
  (expected, type, message, frames) => {
    expect(classifyException(type, message, frames)).toBe(expected);
  },
);
