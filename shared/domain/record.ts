import type * as z from "zod";

/** The type that a record's schema describes, read-only at every depth. Zod's `.readonly()` would freeze each value at run time. */
export type RecordOf<S extends z.ZodType> = Unchanging<z.infer<S>>;

type Unchanging<T> = unknown extends T ? T : { readonly [K in keyof T]: Unchanging<T[K]> };
