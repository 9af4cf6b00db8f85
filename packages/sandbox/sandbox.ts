import { sandboxWords } from "../../infra/tools/packed.ts";
import { runScript, type Script } from "../../infra/tools/script.ts";

// The program of the package: its first word names a command, and the others are the command's own.

interface Command {
  readonly does: string;
  readonly run: () => Promise<unknown>;
}

const runs = (module: () => Promise<{ readonly script: Script }>) => async () => runScript((await module()).script);

const commands: Readonly<Record<string, Command>> = {
  start: {
    does: "starts the platform with a partner, terminals and a page that shows them",
    run: runs(() => import("../workbench/start.ts")),
  },
  try: { does: "requests a payment and shows its events", run: runs(() => import("../workbench/try.ts")) },
  webhooks: {
    does: "shows the webhooks, and forwards them to your server",
    run: runs(() => import("../workbench/webhooks.ts")),
  },
  logs: { does: "shows the log of the platform", run: runs(() => import("../workbench/logs.ts")) },
  admin: { does: "the operator's commands", run: () => import("../../infra/operator/admin/admin.ts") },
  "terminal-kit": {
    does: "checks a terminal against the rules for terminals",
    run: runs(() => import("../terminal/kit/terminal-kit.ts")),
  },
};

const usage = [
  `Usage: ${sandboxWords} <command>`,
  "",
  ...Object.entries(commands).map(([name, { does }]) => `  ${name.padEnd(14)} ${does}`),
  "",
  "Each command has --help.",
].join("\n");

const [, , name] = process.argv;
const command = name !== undefined && Object.hasOwn(commands, name) ? commands[name] : undefined;
if (command) await command.run();
else if (name === undefined || ["help", "--help", "-h"].includes(name)) console.log(usage);
else {
  console.error(`There is no command "${name}".\n\n${usage}`);
  process.exitCode = 2;
}
