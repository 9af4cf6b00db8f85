import { createHash, timingSafeEqual } from "node:crypto";

/** The keys that callers of functions send, by name, as a function app in Azure stores them. */
export interface HostKeys {
  /** Accepted by every function. */
  readonly master: string;
  /** Each is accepted by every function of the level `function`. */
  readonly host: Readonly<Record<string, string>>;
  /** Each key is for one function. By function name, then by key name. */
  readonly functions: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

export type AuthLevel = "anonymous" | "function" | "admin";

/** Whether a function of this level accepts the call with this key, if any. */
export function opens(
  keys: HostKeys,
  call: { functionName: string; level: AuthLevel; key: string | undefined },
): boolean {
  const { functionName, level, key } = call;
  if (level === "anonymous") return true;
  if (!key) return false;
  const keysOfFunction = Object.hasOwn(keys.functions, functionName) ? keys.functions[functionName] : {};
  const sufficient = { function: [...Object.values(keys.host), ...Object.values(keysOfFunction ?? {})], admin: [] };
  return [keys.master, ...sufficient[level]].some((known) => isSame(known, key));
}

/** Compares digests, which have equal length, so that the comparison takes the same time for every key. */
const isSame = (one: string, other: string): boolean => timingSafeEqual(digest(one), digest(other));
const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
