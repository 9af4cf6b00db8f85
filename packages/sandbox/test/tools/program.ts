import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { waitFor } from "../../../../test/support/wait-for.ts";

/** A program that a test started. */
export interface Program {
  readonly output: () => string;
  /** Resolves when its output matches. Rejects with its last words if it does not in time. */
  prints(line: RegExp): Promise<unknown>;
  /** Resolves when a server listens on the port of loopback. */
  listens(port: number): Promise<unknown>;
  /** Ends it like Ctrl-C, and waits for its end. */
  end(): Promise<void>;
}

interface Place {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

export function startProgram([file = "", ...words]: readonly string[], place: Place): Program {
  const child = spawn(file, words, { ...place, stdio: ["ignore", "pipe", "pipe"] });
  let printed = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (data: Buffer) => void (printed += data.toString()));
  const ended = once(child, "exit").then(() => true);
  const show = () => printed.slice(-600);
  return {
    output: () => printed,
    prints: (line) =>
      waitFor(`the line ${String(line)}`, async () => printed, { until: (all) => line.test(all), show }),
    listens: (port) => waitFor(`the port ${port}`, () => stateOf(port), { until: (state) => state === "open", show }),
    async end() {
      if (child.exitCode === null && child.signalCode === null) child.kill("SIGINT");
      await ended;
    },
  };
}

async function stateOf(port: number): Promise<"open" | "closed"> {
  const socket = connect(port, "127.0.0.1");
  const found = await once(socket, "connect").then(
    () => "open" as const,
    () => "closed" as const,
  );
  socket.destroy();
  return found;
}
