/** Versions the generator imitates. The line numbers in `aftermath/` belong to these. */
export const TORCH_NCCL = '2.8.0+cu129';
export const TORCH_GLOO = '2.13.0+cpu';
export const NCCL_VERSION = '2.27.3';

export interface Software {
  readonly torch: string;
  readonly image: string;
  /** Path of the launcher's log lines: newer releases drop `site-packages/`. */
  readonly elastic: string;
  readonly closingLine: number;
  readonly failedLine: number;
  readonly signalLine: number;
  readonly recorderVersion: string;
}

export const SOFTWARE: Record<'nccl' | 'gloo', Software> = {
  nccl: {
    torch: TORCH_NCCL,
    image: 'registry.example/trainer:2.8-cu129',
    elastic: 'site-packages/torch/distributed/elastic',
    closingLine: 900,
    failedLine: 874,
    signalLine: 719,
    recorderVersion: '2.9',
  },
  gloo: {
    torch: TORCH_GLOO,
    image: 'registry.example/trainer:2.13',
    elastic: 'torch/distributed/elastic',
    closingLine: 1028,
    failedLine: 1002,
    signalLine: 753,
    recorderVersion: '2.10',
  },
};
