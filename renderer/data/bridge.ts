import type { Bridge } from '#shared/rpc/bridge.ts';

declare global {
  interface Window {
    readonly firstfault: Bridge;
  }
}

/** Everything outside the page. The only place that reads the global which preload sets. */
export const bridge: Bridge = window.firstfault;
