import { revokeToken, tokenState, type AccessToken } from "../../shared/domain/access-token.ts";
import type { StoredToken } from "../../shared/ports/access-tokens.ts";
import { currentToken } from "../../shared/use-cases/vouchers/find-token.ts";
import type { TablePorts } from "../../shared/tables/table-ports.ts";
import { oneIdentifier, type Subcommand } from "./subcommand.ts";
import { clock, connectTables } from "./platform.ts";

export const showToken: Subcommand = {
  name: "token show",
  usage: "<accessTokenID>",
  does: "shows the state of a voucher or key, and the payment that holds it; never its code",
  async run(args, connect) {
    const { token } = await find(connectTables(await connect()), oneIdentifier(args, "access token"));
    return shown(token, clock.now());
  },
};

export const revoke: Subcommand = {
  name: "token revoke",
  usage: "<accessTokenID>",
  does: "revokes a voucher or key permanently",
  async run(args, connect) {
    const tables = connectTables(await connect());
    const { token, etag } = await find(tables, oneIdentifier(args, "access token"));
    const now = clock.now();
    const revoked = token.status === "revoked" ? token : revokeToken(token, now);
    if (!revoked) {
      const why =
        token.status === "reserved" ? "A payment holds it now: try again when the payment has ended." : "It is spent.";
      throw new Error(`The token cannot be revoked. ${why}`);
    }
    if (revoked !== token) await tables.accessTokens.save(revoked, etag);
    return shown(revoked, now);
  },
};

/** The token in its current state: a reservation that outlived its payment does not count. */
async function find({ accessTokens, payments }: TablePorts, tokenId: string): Promise<StoredToken> {
  const stored = await accessTokens.find(tokenId);
  if (!stored) throw new Error("There is no such access token.");
  return { ...stored, token: await currentToken({ payments }, stored.token, clock.now()) };
}

const shown = (token: AccessToken, now: string) => ({
  accessTokenID: token.tokenId,
  kind: token.kind,
  status: tokenState(token, now),
  productID: token.productId,
  landingPageID: token.landingPageId,
  templateAccessTokenID: token.templateId,
  use: token.use && {
    partnerID: token.use.partnerId,
    sessionID: token.use.sessionId,
    discountID: token.use.discountId,
  },
  validUntil: token.validUntil,
  createdAt: token.createdAt,
  updatedAt: token.updatedAt,
});
