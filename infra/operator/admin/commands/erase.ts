import { keyedCodes } from "../../../../shared/adapters/codes/keyed-codes.ts";
import { maskAddress } from "../../../../shared/domain/email-address.ts";
import { eraseAddress, findAddress } from "../../../../shared/use-cases/operator/retention/erase-address.ts";
import { cloudOf } from "../../common/cloud.ts";
import { command } from "../command.ts";
import { operatorCall, withPlatform } from "../../common/platform.ts";
import { secretsOf } from "../rotating-setting.ts";
import { address, flag, required } from "../words.ts";

export const erase = command({
  name: "erase",
  does: "erases a customer's e-mail address from the tables, after a confirmation; vouchers and keys stay valid, and mails that are not sent yet are cancelled",
  words: [
    required("--email <address>", "the customer's e-mail address, in upper or lower case", address),
    flag("--dry-run", "only count"),
  ],
  examples: ["erase --email anna@example.com --dry-run", "erase --email anna@example.com --yes"],
  writes: true,
  confirms: true,
  async run({ email, dryRun }, { connect, confirm }) {
    const cloud = await connect();
    const codes = keyedCodes(secretsOf({ name: "TOKEN_CODE_KEYS", secrets: cloud.codeKeys }, cloud));
    return withPlatform(cloud, async (platform) => {
      const deps = { ...platform, codes };
      const found = await findAddress(deps, email);
      if (dryRun) return found;
      if (found.requests > 0)
        await confirm(`Erase ${maskAddress(email)} from ${found.requests} token requests on ${cloudOf(cloud)}?`);
      return eraseAddress(deps, operatorCall(), email);
    });
  },
});
