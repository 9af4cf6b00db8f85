import { createHash, randomBytes, scrypt, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import type { Clock } from "../ports/clock.ts";
import { expiringCache } from "./expiring-cache.ts";

/** `scrypt$<salt>$<hash>`, in base64url: what is configured of a password. People choose them, so that the hash is slow. */
export type PasswordHash = string;

const derive = promisify<string, Buffer, number, object, Buffer>(scrypt);
const COST = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 }; // about 32 MB and 0.1 s
const HASH_BYTES = 32;

export const passwordHash = /^scrypt\$([\w-]{16,})\$([\w-]{43})$/;

/** The hash to configure for a password, with a salt of its own. */
export async function hashPassword(password: string): Promise<PasswordHash> {
  const salt = randomBytes(16);
  const hash = await derive(password, salt, HASH_BYTES, COST);
  return `scrypt$${salt.toString("base64url")}$${hash.toString("base64url")}`;
}

/** Whether an `Authorization` header proves one of the consumer API's users. */
export type CheckBasic = (authorization: string | null) => Promise<boolean>;

const KEEP_MS = 60_000;
/** Callers are few; this only bounds what guessers can fill. */
const MAX_ENTRIES = 1_000;

/**
 * Checks Basic credentials. A user that nobody knows takes as long as a wrong password. What was right is remembered for a
 * minute by its digest, and what is being checked is not checked twice at a time.
 */
export function basicCredentials(users: ReadonlyMap<string, PasswordHash>, clock: Clock): CheckBasic {
  const known = expiringCache<Promise<boolean>>(clock, { keepMs: KEEP_MS, maxEntries: MAX_ENTRIES });
  return async (authorization) => {
    const presented = readBasic(authorization);
    if (!presented) return false;
    const digest = createHash("sha256").update(`${presented.user}\0${presented.password}`).digest("base64");
    const found = known.get(digest);
    if (found) return found;
    const right = isPassword(presented.password, users.get(presented.user));
    known.set(digest, right, clock.now());
    const proven = await right.catch(() => false);
    if (!proven) known.delete(digest);
    return right;
  };
}

const nobodys = `scrypt$${"A".repeat(22)}$${"A".repeat(43)}`;

async function isPassword(password: string, configured: PasswordHash | undefined): Promise<boolean> {
  const [, salt = "", hash = ""] = passwordHash.exec(configured ?? nobodys) ?? [];
  const derived = await derive(password, Buffer.from(salt, "base64url"), HASH_BYTES, COST);
  return timingSafeEqual(derived, Buffer.from(hash, "base64url")) && configured !== undefined;
}

function readBasic(authorization: string | null): { user: string; password: string } | undefined {
  const encoded = /^Basic +([A-Za-z0-9+/]+={0,2})$/i.exec(authorization ?? "")?.[1];
  if (encoded === undefined || encoded.length > 1_024) return undefined;
  const text = Buffer.from(encoded, "base64").toString("utf8");
  const colon = text.indexOf(":");
  return colon < 1 ? undefined : { user: text.slice(0, colon), password: text.slice(colon + 1) };
}
