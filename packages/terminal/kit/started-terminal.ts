import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { mkdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { linesOf } from "../../../infra/tools/lines.ts";
import type { Movement } from "../simulated/session.ts";
import type { TerminalUnderTest } from "./power.ts";

/** The values with which the terminal's command is started. */
export interface StartedOptions {
  /** The command line for a shell. */
  readonly command: string;
  readonly terminalsUrl: string;
  readonly terminalKey: string;
  /** Contains the terminal's memory, its acquirer's bookings and its output. */
  readonly folder: string;
}

/** The number of output lines to show if a terminal ended by itself. */
const LAST_LINES = 5;

/** A terminal that is a process. Power on starts it. A power cut kills it with all its children. */
export function startedTerminal({ command, terminalsUrl, terminalKey, folder }: StartedOptions): TerminalUnderTest {
  const memory = join(folder, "memory");
  const cards = join(folder, "cards.jsonl");
  const output = createWriteStream(join(folder, "terminal.log"), { flags: "a" });
  const lastLines: string[] = [];
  let child: ChildProcess | undefined;
  let ending: string | undefined;

  const keep = async (stream: Readable): Promise<void> => {
    for await (const line of linesOf(stream)) {
      output.write(`${line}\n`);
      lastLines.push(line);
      if (lastLines.length > LAST_LINES) lastLines.shift();
    }
  };
  /** Ends the terminal with the kit, so that no process is left if the kit is ended from outside. */
  const endWithKit = () => child && killTree(child);

  return {
    async powerOn() {
      await mkdir(memory, { recursive: true });
      ending = undefined;
      lastLines.length = 0;
      const started = spawn(command, {
        shell: true,
        detached: process.platform !== "win32", // its own process group, so that a signal reaches all of it
        stdio: ["ignore", "pipe", "pipe"],
        env: {
          ...process.env,
          TERMINALS_URL: terminalsUrl,
          TERMINAL_KEY: terminalKey,
          TERMINAL_MEMORY: memory,
          TERMINAL_CARDS: cards,
        },
      });
      child = started;
      for (const stream of [started.stdout, started.stderr]) void keep(stream);
      started.once("exit", (code, signal) => {
        if (child === started) ending = `exit ${code ?? signal}`;
      });
      process.once("exit", endWithKit);
    },
    async cutPower() {
      process.off("exit", endWithKit);
      const running = child;
      child = undefined;
      if (!running || running.exitCode !== null || running.signalCode !== null) return;
      const ended = once(running, "exit");
      killTree(running);
      await ended;
    },
    forget: () => rm(memory, { recursive: true, force: true, maxRetries: 3 }),
    customer() {},
    async movements() {
      const book = await readFile(cards, "utf8").catch(() => "");
      return book.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line) as Movement]));
    },
    crash: () => (ending === undefined ? undefined : [ending, ...lastLines].join("\n          ")),
  };
}

/** Kills the process and its descendants. */
function killTree({ pid, exitCode }: ChildProcess): void {
  if (pid === undefined || exitCode !== null) return;
  if (process.platform === "win32") spawnSync("taskkill", ["/pid", String(pid), "/T", "/F"]);
  else
    try {
      process.kill(-pid, "SIGKILL");
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error; // it has ended already
    }
}
