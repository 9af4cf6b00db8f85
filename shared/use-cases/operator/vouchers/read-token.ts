import type { Instant } from "../../../domain/time.ts";
import type { StoredToken } from "../../../stores/access-tokens.ts";
import { currentToken, type CurrentTokenDeps } from "../../vouchers/find-token.ts";
import type { Needs } from "../../needs.ts";

export type ReadTokenDeps = CurrentTokenDeps & Needs<"accessTokens">;

/** Finds a token by its identifier, in its current state. A reservation that outlived its payment does not count. Throws `Unavailable`. */
export async function readToken(deps: ReadTokenDeps, tokenId: string, now: Instant): Promise<StoredToken | undefined> {
  const stored = await deps.accessTokens.find(tokenId);
  return stored && { ...stored, token: await currentToken(deps, stored.token, now) };
}
