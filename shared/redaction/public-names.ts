/** What everybody has: sites, images and folders that name no customer. Everything that is not listed here is taken for a customer's. */

/** Sites that packages and manuals of everybody come from, and names of Kubernetes' own resources. */
const PUBLIC_SITES =
  /^(?:(?:www|docs|discuss|download|developer|catalog)\.)?(?:nvidia\.com|pytorch\.org|kubernetes\.io|k8s\.io|kubeflow\.org|python\.org|github\.com\/(?:pytorch|NVIDIA|kubernetes|kubeflow)|amazonaws\.com|polyaxon\.com|ray\.io)(?![\w.-]*\.)/i;
const PUBLIC_SUFFIX =
  /(?:^|\.)(?:kubernetes\.io|k8s\.io|nvidia\.com|pytorch\.org|kubeflow\.org|x-k8s\.io|polyaxon\.com)$/i;
/** Registries that everybody uses: their name tells nothing, what stands behind it does. */
const PUBLIC_REGISTRY =
  /^(?:(?:registry-1|index|registry)\.)?(?:docker\.io|nvcr\.io|ghcr\.io|quay\.io|(?:[a-z]{2,4}\.)?gcr\.io|registry\.k8s\.io|mcr\.microsoft\.com|public\.ecr\.aws)$/i;

/** `text` begins with a host name; a port, a path and a query may follow. */
export function isPublicSite(text: string): boolean {
  const host = text.split(/[/:?#]/)[0] ?? '';
  return PUBLIC_SITES.test(text) || PUBLIC_SUFFIX.test(host);
}

/** A host name alone: a site or a registry. */
export const isPublicHost = (host: string): boolean => isPublicSite(host) || PUBLIC_REGISTRY.test(host);

const PUBLIC_OWNERS: ReadonlySet<string> = new Set(
  `nvidia pytorch library kubeflow rayproject huggingface kubernetes kubernetes-sigs google-containers google_containers distroless
deepspeed mosaicml lightning pytorchlightning pytorch-lightning kserve volcanosh volcano-sh polyaxon coredns calico cilium flannel-io prometheus grafana
jupyter tensorflow rocm intel amazon eks-distro docker metrics-server etcd pause kube-proxy kube-apiserver sig-storage bitnami nvidia-ai`.split(
    /\s+/,
  ),
);
const PUBLIC_IMAGES: ReadonlySet<string> = new Set(
  'ubuntu debian alpine busybox python nginx redis postgres mysql node golang centos fedora rockylinux almalinux pause bash curl etcd'.split(
    ' ',
  ),
);

/** `docker.io/pytorch/pytorch:2.4.0`, `nvcr.io/nvidia/pytorch:24.05`, `busybox`: images that anybody can pull. A scheme may stand before them. */
export function isPublicImage(text: string): boolean {
  const parts = text.replace(/^[a-z-]+:\/\//, '').split('/');
  const [first = ''] = parts;
  const hasRegistry = parts.length > 1 && (/[.:]/.test(first) || first === 'localhost');
  if (hasRegistry && !PUBLIC_REGISTRY.test(first)) return false;
  if (/^(?:registry\.k8s\.io|mcr\.microsoft\.com)$/i.test(first)) return true;
  const path = hasRegistry ? parts.slice(1) : parts;
  const [owner = ''] = path;
  const name = owner.split(/[:@]/)[0] ?? '';
  return path.length > 1 ? PUBLIC_OWNERS.has(owner.toLowerCase()) : PUBLIC_IMAGES.has(name.toLowerCase());
}

const SYSTEM_PATH =
  /^\/(?:dev|proc|sys|usr\/(?:lib|lib64|bin|sbin|include|share|src)|usr\/local\/(?:cuda[\w.-]*|lib|bin)|lib|lib64|bin|sbin|opt\/(?:conda|venv|nvidia|hpcx)|etc|run|var\/run|var\/log\/(?:pods|containers)?|boot|__w\/pytorch|pytorch|opt\/pytorch)(?:\/|$)/;
const OPEN_PACKAGES =
  /\/(?:site|dist)-packages\/(?:torch|torchvision|torchaudio|triton|numpy|deepspeed|megatron|transformers|accelerate|lightning|pytorch_lightning|datasets|nvidia|apex|flash_attn|transformer_engine|vllm|ray|fairscale|xformers|polyaxon)(?:\/|$)/;

/** Places that every Linux and every image of the trade has. Names of packages that are not public are not among them. */
export function isSystemPath(text: string): boolean {
  if (/\/(?:site|dist)-packages(?:\/|$)/.test(text)) return OPEN_PACKAGES.test(text) && SYSTEM_PATH.test(text);
  // The first one is what the report itself proposes.
  return (
    /^\/diagnostics(?:\/(?:fr|logs))?$/.test(text) ||
    SYSTEM_PATH.test(text) ||
    text === '/tmp' ||
    text === '/root' ||
    text === '/var/log'
  );
}
