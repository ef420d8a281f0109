declare const brand: unique symbol;
/** A value of type `T` that may not be mixed up with another `T`: the brand exists for the compiler only. */
export type Brand<T, B extends string> = T & { readonly [brand]: B };
