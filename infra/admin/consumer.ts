import { randomBytes } from "node:crypto";
import { hashPassword } from "../../shared/auth/basic-credentials.ts";
import type { Subcommand } from "./subcommand.ts";

export const newCredentials: Subcommand = {
  name: "consumer credentials",
  usage: "<user>",
  does: "generates a password for the consumer API, and prints its entry for CONSUMER_CREDENTIALS",
  async run([user = "", ...rest]) {
    if (!/^[\w.-]{1,64}$/.test(user) || rest.length > 0) throw new Error("Name one user, of letters and digits.");
    const password = randomBytes(24).toString("base64url");
    return { user, password, CONSUMER_CREDENTIALS: { [user]: await hashPassword(password) } };
  },
};
