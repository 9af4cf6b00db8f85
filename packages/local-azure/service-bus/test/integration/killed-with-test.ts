import { once } from "node:events";
import type { ChildProcess } from "node:child_process";

/** For `await using`. Kills the process if it still runs, and waits until it has ended. */
export const killedWithTest = (child: ChildProcess): AsyncDisposable & { readonly child: ChildProcess } => ({
  child,
  async [Symbol.asyncDispose]() {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, "exit");
    child.kill("SIGKILL");
    await exited;
  },
});
