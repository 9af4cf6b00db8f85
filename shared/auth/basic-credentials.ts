import { createHash, randomBytes, scrypt, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import type { Clock } from "../ports/clock.ts";
import { expiringCache } from "./expiring-cache.ts";

/** `scrypt$<salt>$<hash>`, in base64url: the configured form of a password. People choose passwords, so the hash is slow. */
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

/** The verdict on Basic credentials. `unchecked`: too many were wrong lately, or are being checked. */
export type BasicVerdict = "right" | "wrong" | "unchecked";

/** Checks an `Authorization` header from a caller's address. */
export type CheckBasic = (authorization: string | null, address: string) => Promise<BasicVerdict>;

/**
 * The most checks at the same time. A check takes a core for a large part of a second; credentials beyond this are refused at once, without
 * a delay for other callers.
 */
const MAX_AT_ONCE = 2;
/** The most wrong passwords from an address, and for a user from anywhere, within the time. Credentials beyond this are not checked. */
const MAX_FAILURES = { address: 10, user: 50 };
export const FAILURES_KEPT_SECONDS = 60;
/** Bounds the memory that guessers can fill. */
const MAX_ENTRIES = 10_000;

/**
 * Checks Basic credentials. An unknown user takes as long as a wrong password. Right credentials are remembered by their digest, one
 * password for each user, as long as the process lives, since the users are its configuration: guesses neither remove them nor delay them.
 */
export function basicCredentials(
  users: ReadonlyMap<string, PasswordHash>,
  clock: Pick<Clock, "now">,
  failures = failureCounts(clock),
): CheckBasic {
  const proven = new Map<string, Buffer>();
  const underWay = new Map<string, Promise<boolean>>();

  /** Credentials that are being checked are not checked a second time. */
  function derivation(key: string, { user, password }: Presented): Promise<boolean> | undefined {
    const running = underWay.get(key);
    if (running || underWay.size >= MAX_AT_ONCE) return running;
    const started = isPassword(password, users.get(user)).finally(() => underWay.delete(key));
    underWay.set(key, started);
    return started;
  }

  return async (authorization, address) => {
    const presented = readBasic(authorization);
    if (!presented) return "wrong";
    const { user, password } = presented;
    const digest = createHash("sha256").update(`${user}\0${password}`).digest();
    const known = proven.get(user);
    if (known && timingSafeEqual(known, digest)) return "right";
    const checked = failures.areMany(address, user) ? undefined : derivation(digest.toString("base64"), presented);
    if (!checked) return "unchecked";
    if (await checked) {
      proven.set(user, digest);
      return "right";
    }
    failures.add(address, user);
    return "wrong";
  };
}

/** Counts wrong passwords within `FAILURES_KEPT_SECONDS`, by address and by user. */
export function failureCounts(clock: Pick<Clock, "now">) {
  const newCounts = () =>
    expiringCache<number>(clock, { keepMs: FAILURES_KEPT_SECONDS * 1000, maxEntries: MAX_ENTRIES });
  const [byAddress, byUser] = [newCounts(), newCounts()];
  return {
    areMany: (address: string, user: string) =>
      (byAddress.get(address) ?? 0) >= MAX_FAILURES.address || (byUser.get(user) ?? 0) >= MAX_FAILURES.user,
    add(address: string, user: string) {
      byAddress.set(address, (byAddress.get(address) ?? 0) + 1, clock.now());
      byUser.set(user, (byUser.get(user) ?? 0) + 1, clock.now());
    },
  };
}

const unknownUsersHash = `scrypt$${"A".repeat(22)}$${"A".repeat(43)}`;

async function isPassword(password: string, configured: PasswordHash | undefined): Promise<boolean> {
  const [, salt = "", hash = ""] = passwordHash.exec(configured ?? unknownUsersHash) ?? [];
  const derived = await derive(password, Buffer.from(salt, "base64url"), HASH_BYTES, COST);
  return timingSafeEqual(derived, Buffer.from(hash, "base64url")) && configured !== undefined;
}

interface Presented {
  readonly user: string;
  readonly password: string;
}

function readBasic(authorization: string | null): Presented | undefined {
  const encoded = /^Basic +([A-Za-z0-9+/]+={0,2})$/i.exec(authorization ?? "")?.[1];
  if (encoded === undefined || encoded.length > 1_024) return undefined;
  const text = Buffer.from(encoded, "base64").toString("utf8");
  const colon = text.indexOf(":");
  return colon < 1 ? undefined : { user: text.slice(0, colon), password: text.slice(colon + 1) };
}
