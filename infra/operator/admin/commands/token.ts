import { keyedCodes } from "../../../../shared/adapters/codes/keyed-codes.ts";
import { revokeToken, tokenState, type AccessToken } from "../../../../shared/domain/access-token.ts";
import type { StoredToken } from "../../../../shared/stores/access-tokens.ts";
import type { TablePorts } from "../../../../shared/stores/stores.ts";
import { extendAccessToken } from "../../../../shared/use-cases/operator/vouchers/extend-access-token.ts";
import { readToken } from "../../../../shared/use-cases/operator/vouchers/read-token.ts";
import { resendAccessToken } from "../../../../shared/use-cases/operator/vouchers/resend-access-token.ts";
import { command, type Group } from "../command.ts";
import { clock, connectTables, operatorCall, withPlatform } from "../../common/platform.ts";
import { secretsOf } from "../rotating-setting.ts";
import { UsageError } from "../../../tools/script.ts";
import { address, argument, flag, identifier, moment, numberMatching, option, required } from "../words.ts";

const accessTokenID = argument("<accessTokenID>", "the voucher or key", identifier);

const days = numberMatching(/^[1-9]\d{0,3}$/, "--days takes a number of days, such as 30.");

const show = command({
  name: "show",
  does: "shows the state of a voucher or key, the payment that holds it, and the state of its mail; never its code",
  words: [accessTokenID],
  examples: ["token show 0a4c7c1e-52d5-4f0e-8f5e-0f6a5b6f3d21"],
  async run({ accessTokenID }, { connect }) {
    const tables = connectTables(await connect());
    const { token } = await find(tables, accessTokenID);
    const request = (await tables.landingPages.findRequestOf(token))?.request;
    const { requestId: requestID, status, statusReason, maskedEmail: email, updatedAt: at } = request ?? {};
    return { ...shown(token, clock.now()), mail: request && { requestID, status, statusReason, email, at } };
  },
});

const revoke = command({
  name: "revoke",
  does: "revokes a voucher or key permanently",
  words: [accessTokenID],
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

const resend = command({
  name: "resend",
  does: "mails the code of a voucher or key again, at most once a minute; a worker sends the mail within seconds",
  words: [
    accessTokenID,
    required("--to <address>", "the customer's address, which the platform forgot after the first mail", address),
    flag("--other-address", "the customer has a new address, which did not request the token"),
  ],
  examples: ["token resend 0a4c7c1e-52d5-4f0e-8f5e-0f6a5b6f3d21 --to anna@example.com"],
  writes: true,
  async run({ accessTokenID, to: email, otherAddress: isOtherAddress }, { connect }) {
    const cloud = await connect();
    const codes = keyedCodes(secretsOf({ name: "TOKEN_CODE_KEYS", secrets: cloud.codeKeys }, cloud));
    return withPlatform(cloud, async (platform) => {
      const wish = { tokenId: accessTokenID, email, isOtherAddress };
      const sent = await resendAccessToken({ ...platform, codes }, operatorCall(), wish);
      if ("why" in sent) throw new Error(`The mail is not sent. ${sent.why}`);
      const { requestId: requestID, maskedEmail, status } = sent;
      return { accessTokenID, requestID, email: maskedEmail, status };
    });
  },
});

const extend = command({
  name: "extend",
  does: "makes a voucher or key valid for longer; an expired one becomes valid again",
  words: [
    accessTokenID,
    option("--until <moment>", "the new end, such as 2027-01-31T22:59:59Z", moment),
    option("--days <days>", "this many days after its present end, or after now if it has expired", days),
  ],
  details: "The customer is not notified. To notify the customer, send the mail again with `token resend`.",
  examples: [
    "token extend 0a4c7c1e-52d5-4f0e-8f5e-0f6a5b6f3d21 --days 30",
    "token extend 0a4c7c1e-52d5-4f0e-8f5e-0f6a5b6f3d21 --until 2027-01-31T22:59:59Z",
  ],
  writes: true,
  async run({ accessTokenID, until, days: more }, { connect }) {
    const extension = until === undefined ? more && { days: more } : { until };
    if (!extension || (until !== undefined && more !== undefined))
      throw new UsageError("Use either --until or --days.");
    const now = clock.now();
    const extended = await extendAccessToken(connectTables(await connect()), accessTokenID, extension, now);
    if ("why" in extended) throw new Error(`The token is not extended. ${extended.why}`);
    return shown(extended, now);
  },
});

/** The token in its current state. Throws an error for the operator if there is no such token. */
async function find(tables: TablePorts, tokenId: string): Promise<StoredToken> {
  const stored = await readToken(tables, tokenId, clock.now());
  if (!stored) throw new Error("There is no such access token.");
  return stored;
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

export const token: Group = {
  name: "token",
  does: "vouchers and keys that were issued",
  commands: [show, resend, revoke, extend],
};
