import { createHash, timingSafeEqual } from "node:crypto";

/** The keys that callers of functions show, by name, as a function app in Azure keeps them. */
export interface HostKeys {
  /** Opens every function. */
  readonly master: string;
  /** Each opens every function that asks for a function's key. */
  readonly host: Readonly<Record<string, string>>;
  /** Keys of one function each: function name, then key name. */
  readonly functions: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

export type AuthLevel = "anonymous" | "function" | "admin";

/** Whether the key, if any, opens a function of this level. */
export function opens(
  keys: HostKeys,
  asked: { functionName: string; level: AuthLevel; key: string | undefined },
): boolean {
  const { functionName, level, key } = asked;
  if (level === "anonymous") return true;
  if (!key) return false;
  const keysOfFunction = Object.hasOwn(keys.functions, functionName) ? keys.functions[functionName] : {};
  const sufficient = { function: [...Object.values(keys.host), ...Object.values(keysOfFunction ?? {})], admin: [] };
  return [keys.master, ...sufficient[level]].some((known) => isSame(known, key));
}

/** Digests are of equal length, so that the comparison takes the same time whatever was shown. */
const isSame = (one: string, other: string): boolean => timingSafeEqual(digest(one), digest(other));
const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
