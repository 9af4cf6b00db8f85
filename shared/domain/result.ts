/** A use case returns what its caller can act on, and throws everything else. */
export type Result<T, E> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: E };

export const ok = <T>(value: T): { ok: true; value: T } => ({ ok: true, value });
export const refuse = <const E>(error: E): { ok: false; error: E } => ({ ok: false, error });
