import { randomBytes } from "node:crypto";
import { hashSecret, isSecret } from "./credentials.ts";

/** A password of the platform's own making: 192 random bits at least. No other one is right, so that none needs a slow hash. */
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

/** The user whose Basic credentials an `Authorization` header holds; undefined where they are wrong. */
export type CheckBasic = (authorization: string | null) => string | undefined;

/**
 * Checks Basic credentials as keys are checked: in microseconds and in constant time, so that guesses hold nobody up. An unknown user costs
 * the same as a wrong password.
 *
 * @param users the hashes of passwords by user
 */
export const basicCredentials =
  (users: ReadonlyMap<string, string>): CheckBasic =>
  (authorization) => {
    const presented = readBasic(authorization);
    if (!presented || !generatedPassword.test(presented.password)) return undefined;
    const { user, password } = presented;
    const hash = users.get(user);
    const isRight = isSecret(password, hash === undefined ? undefined : { hash, pepperId: "user" }, { user });
    return isRight ? user : undefined;
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
