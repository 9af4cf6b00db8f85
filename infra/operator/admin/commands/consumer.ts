import { hashPassword, newPassword } from "../../../../shared/edge/auth/basic-credentials.ts";
import { command, type Group } from "../command.ts";
import { argument, matching } from "../words.ts";

/** The name of a consumer user. */
export const userName = matching(
  /^[\w.-]{1,64}$/,
  "A user name has 1 to 64 letters, digits, dots, dashes or underscores.",
);

const credentials = command({
  name: "credentials",
  does: "generates a password for the consumer API, and prints its entry for CONSUMER_CREDENTIALS",
  words: [argument("<user>", "the user's name", userName)],
  examples: ["consumer credentials kiosk --json"],
  async run({ user }) {
    const password = newPassword();
    return { user, password, CONSUMER_CREDENTIALS: { [user]: hashPassword(user, password) } };
  },
});

export const consumer: Group = {
  name: "consumer",
  does: "the users of the Consumer Web API",
  commands: [credentials],
};
