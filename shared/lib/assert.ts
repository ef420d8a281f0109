/** Throws if `condition` does not hold. For broken invariants (bugs), never for bad input. */
export function invariant(condition: unknown, why: string): asserts condition {
  if (!condition) throw new Error(`invariant broken: ${why}`);
}

/** The `default` of a `switch` over a union: a new member fails to compile here. */
export function assertNever(value: never, what = 'value'): never {
  throw new Error(`unexpected ${what}: ${JSON.stringify(value)}`);
}
