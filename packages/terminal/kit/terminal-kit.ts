// Plays the platform for a terminal under test, and checks the terminal against the rules of docs/terminals.md.
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { newScript, runScript, UsageError } from "../../../infra/tools/script.ts";
import { invocation, typed } from "../../../infra/tools/typed-command.ts";
import { TERMINAL_KEY_PREFIX } from "../../../shared/edge/auth/authenticate.ts";
import { heldTerminal, type Person } from "./held-terminal.ts";
import { newPlatform } from "./platform.ts";
import { play, type Result } from "./play.ts";
import type { TerminalUnderTest } from "./power.ts";
import { scenarios } from "./scenarios/all-scenarios.ts";
import type { Scenario } from "./scenarios/scenario.ts";
import { describedBy } from "./self-description.ts";
import { servePlatform } from "./server.ts";
import { shownDescription, shownResult, summary } from "./show.ts";
import { startedTerminal } from "./started-terminal.ts";

interface Words {
  readonly terminal?: string;
  readonly wait?: true;
  readonly only?: readonly string[];
  readonly skip?: readonly string[];
  readonly port: string;
  readonly patience?: string;
  readonly quiet: string;
  readonly json?: true;
  readonly list?: true;
}

const collected = (name: string, before: readonly string[] = []) => [...before, name];

export const script = newScript(
  invocation("terminal-kit"),
  "Plays the platform for a terminal under test, and checks it by the rules of docs/terminals.md.",
  [
    typed("terminal-kit", "--terminal 'python3 terminal.py'"),
    typed("terminal-kit", "--terminal 'python3 terminal.py' --only 'second card' --only restart"),
    typed("terminal-kit", "--wait --port 7200"),
  ],
)
  .option("--terminal <command>", "starts the terminal; a power cut kills it")
  .option("--wait", "waits for a device to connect; a person at the keyboard switches its power and plays its customer")
  .option("--only <scenario>", "plays this scenario; may be repeated", collected)
  .option("--skip <scenario>", "leaves this scenario out; may be repeated", collected)
  .option("--port <port>", "listens on this port of loopback; 0 for a free one", "0")
  .option("--patience <seconds>", "how long a report may take (default: 15, with --wait 120)")
  .option("--quiet <milliseconds>", "how long to listen at a scenario's end for calls that must not come", "300")
  .option("--json", "prints the results as JSON")
  .option("--list", "lists the scenarios")
  .action(async (words: Words) => {
    if (words.list) return console.log(scenarios.map(({ name, does }) => `${name.padEnd(28)} ${does}`).join("\n"));
    const chosen = choose(words);
    if ((words.terminal === undefined) === (words.wait === undefined))
      throw new UsageError("Give either --terminal or --wait, to say which terminal is tested.");
    await test(chosen, words);
  });

/** Plays the scenarios, and sets the exit code. */
async function test(chosen: readonly Scenario[], words: Words): Promise<void> {
  const pointOfServiceID = randomUUID();
  const terminalKey = `${TERMINAL_KEY_PREFIX}_${pointOfServiceID.replaceAll("-", "")}_${randomUUID()}`;
  const patienceMs = 1_000 * numberOf("--patience", words.patience ?? (words.wait ? "120" : "15"));
  const quietMs = numberOf("--quiet", words.quiet);
  const platform = newPlatform({ terminalKey, pointOfServiceID, newId: randomUUID, clock: Date.now });
  const server = await servePlatform(platform, numberOf("--port", words.port));
  try {
    const at = { terminalsUrl: `${server.url}terminals`, terminalKey };
    const playWith = async (terminal: TerminalUnderTest): Promise<boolean> => {
      const shown = words.json ? () => {} : (result: Result) => console.log(shownResult(result));
      const results = await play(chosen, { platform, terminal, patienceMs, quietMs }, shown);
      const described = describedBy(platform);
      console.log(
        words.json
          ? JSON.stringify({ terminal: described, results }, null, 2)
          : `${shownDescription(described)}\n${summary(results, scenarios.length - chosen.length)}`,
      );
      return results.every(({ passed }) => passed);
    };
    const passed = await (words.terminal === undefined
      ? byHand(at, playWith)
      : byCommand(words.terminal, at, playWith));
    process.exitCode = passed ? 0 : 1;
  } finally {
    await server.stop();
  }
}

interface Address {
  readonly terminalsUrl: string;
  readonly terminalKey: string;
}
type PlayWith = (terminal: TerminalUnderTest) => Promise<boolean>;

/** If the terminal failed, its output is kept and its path is shown. */
async function byCommand(command: string, at: Address, playWith: PlayWith): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), "terminal-kit-"));
  const passed = await playWith(startedTerminal({ command, ...at, folder }));
  if (passed) await rm(folder, { recursive: true, force: true });
  else console.error(`The terminal's output: ${join(folder, "terminal.log")}`);
  return passed;
}

async function byHand({ terminalsUrl, terminalKey }: Address, playWith: PlayWith): Promise<boolean> {
  const person = newPerson();
  person.say(`TERMINALS_URL=${terminalsUrl}\nTERMINAL_KEY=${terminalKey}`);
  try {
    return await playWith(heldTerminal(person));
  } finally {
    person.leaves();
  }
}

/** The scenarios that the options select. */
function choose({ only = [], skip = [] }: Words): readonly Scenario[] {
  const unknown = [...only, ...skip].find((name) => !scenarios.some((scenario) => scenario.name === name));
  if (unknown !== undefined) throw new UsageError(`There is no scenario "${unknown}"; --list shows them.`);
  const chosen = scenarios.filter(({ name }) => (only.length === 0 || only.includes(name)) && !skip.includes(name));
  if (chosen.length === 0) throw new UsageError("No scenario is left to play.");
  return chosen;
}

function numberOf(option: string, typed: string): number {
  const number = Number(typed);
  if (typed.trim() === "" || !(number >= 0)) throw new UsageError(`${option} must be a number of at least 0.`);
  return number;
}

/** The person at the keyboard. Instructions go to the standard error, separate from the report. */
function newPerson(): Person & { leaves(): void } {
  const lines = createInterface({ input: process.stdin });
  const typed = lines[Symbol.asyncIterator]();
  const say = (what: string) => console.error(what);
  return {
    say,
    async does(what) {
      say(what);
      const { done } = await typed.next();
      if (done) throw new Error("--wait needs a person at the keyboard: the standard input has ended.");
    },
    leaves: () => lines.close(),
  };
}

if (import.meta.main)
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => process.exit(130));
if (import.meta.main) await runScript(script);
