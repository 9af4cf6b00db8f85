import { Conflict, Unavailable } from "../../shared/ports/failures.ts";
import type { Command } from "./command.ts";
import { newCredentials } from "./consumer.ts";
import { disableLandingPage, showLandingPage } from "./landing-pages.ts";
import { resolvePayment } from "./payments.ts";
import { repair } from "./repair.ts";
import { openStore } from "./store.ts";
import { createTemplate, listTemplates } from "./templates.ts";
import { revoke, showToken } from "./tokens.ts";
import { listWebhooks, replay } from "./webhooks.ts";

// The operator's command line: `npm run admin -- <command> …`. What is wrong is told in a sentence, with exit code 1.

const commands: readonly Command[] = [
  {
    name: "repair",
    usage: "[--since <time>] [--dry-run]",
    does: "announces again what was committed and not carried out",
    run: repair,
  },
  resolvePayment,
  listWebhooks,
  replay,
  createTemplate,
  listTemplates,
  showLandingPage,
  disableLandingPage,
  showToken,
  revoke,
  newCredentials,
];

const given = process.argv.slice(2);
try {
  const named = (words: number) => commands.find(({ name }) => name === given.slice(0, words).join(" "));
  const command = named(2) ?? named(1);
  if (!command) throw new Error(usage());
  const shown = await command.run(given.slice(command.name.split(" ").length), openStore);
  if (shown !== undefined) console.log(JSON.stringify(shown, null, 2));
} catch (error) {
  console.error(sentence(error));
  process.exitCode = 1;
}

function usage(): string {
  return commands.map(({ name, usage, does }) => `npm run admin -- ${name} ${usage}\n    ${does}`).join("\n");
}

function sentence(error: unknown): string {
  if (error instanceof Conflict) return "Somebody else changed it at the same moment. Try again.";
  if (error instanceof Unavailable) return "The tables do not answer.";
  return error instanceof Error ? error.message : String(error);
}
