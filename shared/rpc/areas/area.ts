import type { z } from 'zod';

/** The run-time schemas of one area's methods; one that is missing does not compile. */
export type AreaValidators<T> = {
  readonly [M in keyof T]: T[M] extends { readonly params: infer P } ? z.ZodType<P> : never;
};
