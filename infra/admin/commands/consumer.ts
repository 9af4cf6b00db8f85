import { randomBytes } from "node:crypto";
import { hashPassword } from "../../../shared/auth/basic-credentials.ts";
import { command, type Group } from "../command.ts";
import { UsageError } from "../../script.ts";
import { required, word } from "../words.ts";

const user = word("user", "the user's name", (typed) => {
  if (!/^[\w.-]{1,64}$/.test(typed)) throw new UsageError("Name one user, of letters and digits.");
  return typed;
});

const credentials = command({
  name: "credentials",
  does: "generates a password for the consumer API, and prints its entry for CONSUMER_CREDENTIALS",
  args: { user: required(user) },
  examples: ["consumer credentials kiosk --json"],
  async run({ user }) {
    const password = randomBytes(24).toString("base64url");
    return { user, password, CONSUMER_CREDENTIALS: { [user]: await hashPassword(password) } };
  },
});

export const consumer: Group = {
  name: "consumer",
  does: "the users of the Consumer Web API",
  commands: [credentials],
};
