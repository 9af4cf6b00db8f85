import { closeAlert, listAlerts, showAlerts } from "./alerts.ts";
import type { Subcommand, Connect } from "./subcommand.ts";
import { newCredentials } from "./consumer.ts";
import { disableLandingPage, showLandingPage } from "./landing-pages.ts";
import { listPayments } from "./payment-lists.ts";
import { resolvePayment } from "./payments.ts";
import { repair } from "./repair.ts";
import { createTemplate, listTemplates } from "./templates.ts";
import { revoke, showToken } from "./tokens.ts";
import { listWebhooks, replay } from "./webhooks.ts";

const commands: readonly Subcommand[] = [
  repair,
  listAlerts,
  showAlerts,
  closeAlert,
  listPayments,
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

/** Runs the command that the words name, and returns what it shows. Errors are thrown. */
export async function runSubcommand(words: string[], connect: Connect): Promise<unknown> {
  const named = (count: number) => commands.find(({ name }) => name === words.slice(0, count).join(" "));
  const command = named(2) ?? named(1);
  if (!command) throw new Error(usage());
  return command.run(words.slice(command.name.split(" ").length), connect);
}

const usage = () =>
  commands.map(({ name, usage, does }) => `npm run admin -- ${name} ${usage}\n    ${does}`).join("\n");
