/**
 * Runs a read. At the given end its table calls are cut off, and it begins no other: each throws `Unavailable`. Only for work that changes
 * nothing, because nobody learns how far it came.
 */
export type ReadUntil = <T>(end: AbortSignal, read: () => Promise<T>) => Promise<T>;
