import { revokeToken, tokenState, type AccessToken } from "../../../shared/domain/access-token.ts";
import type { StoredToken } from "../../../shared/ports/access-tokens.ts";
import type { TablePorts } from "../../../shared/tables/table-ports.ts";
import { currentToken } from "../../../shared/use-cases/vouchers/find-token.ts";
import { command, type Group } from "../command.ts";
import { clock, connectTables } from "../../operator/platform.ts";
import { identifier, required } from "../words.ts";

const args = { accessTokenID: required(identifier("accessTokenID", "the voucher or key")) };

const show = command({
  name: "show",
  does: "shows the state of a voucher or key, and the payment that holds it; never its code",
  args,
  examples: ["token show 0a4c7c1e-52d5-4f0e-8f5e-0f6a5b6f3d21"],
  async run({ accessTokenID }, { connect }) {
    const { token } = await find(connectTables(await connect()), accessTokenID);
    return shown(token, clock.now());
  },
});

const revoke = command({
  name: "revoke",
  does: "revokes a voucher or key permanently",
  args,
  examples: ["token revoke 0a4c7c1e-52d5-4f0e-8f5e-0f6a5b6f3d21"],
  writes: true,
  async run({ accessTokenID }, { connect }) {
    const tables = connectTables(await connect());
    const { token, etag } = await find(tables, accessTokenID);
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
});

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

export const token: Group = { name: "token", does: "vouchers and keys that were issued", commands: [show, revoke] };
