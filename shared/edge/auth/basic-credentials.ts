import { randomBytes } from "node:crypto";
import { ok, refuse, type Result } from "../../domain/result.ts";
import { hashSecret, isSecret } from "./credentials.ts";
import type { RefusedInLog } from "./invalid-credentials.ts";

/** A password that the platform generated: at least 192 random bits. No other password is accepted, so passwords need no slow hash. */
const generatedPassword = /^[\w-]{32,64}$/;
/** The configured form of a password. */
export const passwordHash = /^[0-9a-f]{64}$/;

/** A new password of 192 random bits. */
export const newPassword = (): string => randomBytes(24).toString("base64url");

/** The hash to configure for a user's password. Throws for a password that the platform cannot have generated. */
export function hashPassword(user: string, password: string): string {
  if (!generatedPassword.test(password)) throw new Error("only a generated password can be configured");
  return hashSecret(password, user);
}

/** Returns the user of the Basic credentials in an `Authorization` header, or the log's members for the refusal. */
export type CheckBasic = (authorization: string | null) => Result<{ readonly user: string }, RefusedInLog>;

/**
 * Checks Basic credentials as keys are checked: in microseconds and in constant time, so that guesses cannot slow down the app. An unknown
 * user costs the same as a wrong password.
 *
 * @param users the hashes of passwords by user
 */
export const basicCredentials =
  (users: ReadonlyMap<string, string>): CheckBasic =>
  (authorization) => {
    const presented = readBasic(authorization);
    if (!presented) return refuse({ refused: authorization ? "malformed" : "missing" });
    const { user, password } = presented;
    const hash = users.get(user);
    const stored = hash === undefined ? undefined : { hash, pepperId: "user" };
    const isRight = generatedPassword.test(password) && isSecret(password, stored, { user });
    if (isRight) return ok({ user });
    // An unknown user name may be a customer's address, or a password in the wrong field. It is not logged.
    return refuse(stored ? { refused: "wrong", claimedUser: user } : { refused: "unknown" });
  };

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
