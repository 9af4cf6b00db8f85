import { keyedCodes } from "../../../shared/codes/keyed-codes.ts";
import { isEmailAddress, maskAddress } from "../../../shared/domain/email-address.ts";
import { eraseAddress, findAddress } from "../../../shared/use-cases/retention/erase-address.ts";
import { cloudOf } from "../../operator/cloud.ts";
import { command } from "../command.ts";
import { operatorCall, withPlatform } from "../../operator/platform.ts";
import { secretsOf } from "../rotating-setting.ts";
import { UsageError } from "../../script.ts";
import { flag, required, word } from "../words.ts";

const emailOption = word("address", "the customer's e-mail address, in any case", (typed) => {
  if (!isEmailAddress(typed)) throw new UsageError("--email takes one plain address, name@example.com.");
  return typed;
});

export const erase = command({
  name: "erase",
  does: "erases what is stored of a customer's e-mail address, after a confirmation; vouchers and keys stay good, and mails under way are called off",
  options: { email: required(emailOption), "dry-run": flag("only count") },
  examples: ["erase --email anna@example.com --dry-run", "erase --email anna@example.com --yes"],
  writes: true,
  confirms: true,
  async run({ email, "dry-run": dryRun }, { connect, confirm }) {
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
