// The simulated terminal alone, with its memory in a folder: `node packages/terminal/simulated/simulated-terminal.ts`. It plays the script
// that an amount's minor digits select. It is the reference implementation of docs/terminals.md.
import { newScript, positiveNumber, runScript, UsageError } from "../../../infra/tools/script.ts";
import { startAutopilot } from "./autopilot.ts";
import { onBattery } from "./device.ts";
import { diskMemory } from "./disk-memory.ts";
import { terminalClient } from "./terminal-client.ts";

const script = newScript(
  "node packages/terminal/simulated/simulated-terminal.ts",
  "Runs the simulated terminal alone. It reads TERMINALS_URL, TERMINAL_KEY and TERMINAL_MEMORY (a folder) from the environment. TERMINAL_CARDS may name a file that records each movement of money.",
  ["npm run terminal-kit -- --terminal 'node packages/terminal/simulated/simulated-terminal.ts'"],
)
  .option("--pace <milliseconds>", "one step of the terminal: a slow customer takes fifty", positiveNumber, 40)
  .action(async ({ pace: paceMs }: { readonly pace: number }) => {
    const { memory, save } = diskMemory(setting("TERMINAL_MEMORY"), process.env["TERMINAL_CARDS"]);
    const client = terminalClient({ terminalsUrl: setting("TERMINALS_URL"), terminalKey: setting("TERMINAL_KEY") });
    const terminal = startAutopilot(client, { paceMs, memory, save, device: onBattery("SIM-1") });
    await new Promise<void>((resolve) => {
      process.once("SIGINT", resolve);
      process.once("SIGTERM", resolve);
    });
    await terminal.stop();
  });

function setting(name: string): string {
  const value = process.env[name];
  if (value === undefined || value === "") throw new UsageError(`${name} is not set.`);
  return value;
}

await runScript(script);
