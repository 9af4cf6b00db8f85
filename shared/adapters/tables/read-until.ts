import { AsyncLocalStorage } from "node:async_hooks";
import type { ReadUntil } from "../../ports/read-until.ts";

const endOf = new AsyncLocalStorage<AbortSignal>();

/** The reads of this process. Every table call of a read looks here for its end. */
export const readUntil: ReadUntil = (end, read) => endOf.run(end, read);

/** The end of the read that runs now. Undefined if no read runs. */
export const endOfRead = (): AbortSignal | undefined => endOf.getStore();
