import type { z } from "zod";

/** What a record's schema describes, read-only to any depth. Zod's `.readonly()` would freeze every value that is read. */
export type RecordOf<S extends z.ZodType> = Unchanging<z.infer<S>>;

type Unchanging<T> = { readonly [K in keyof T]: Unchanging<T[K]> };
