import { repair } from "./repair.ts";

// The operator's command line: `npm run admin -- <command> …`.

const commands: Readonly<Record<string, (args: string[]) => Promise<void>>> = { repair };

const [name = "", ...args] = process.argv.slice(2);
const command = commands[name];
if (!command) {
  console.error(`usage: npm run admin -- <${Object.keys(commands).join(" | ")}> …`);
  process.exit(1);
}
try {
  await command(args);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
