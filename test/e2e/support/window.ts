/** Tells the tests what preload puts on the window. Types only. */
export type { Bridge } from '#shared/rpc/bridge.ts';
export type { bridge } from '../../../renderer/data/bridge.ts';
