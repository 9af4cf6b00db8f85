import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startStack, type Stack, type StackOptions } from "../../packages/workbench/stack/stack.ts";

/** Runs the work on its own stack, on free ports. Ends the stack even if the work fails. */
export async function onStack<T>(
  options: Omit<StackOptions, "ports" | "directory">,
  work: (stack: Stack) => Promise<T>,
): Promise<T> {
  const directory = await mkdtemp(join(tmpdir(), "bench-"));
  try {
    const stack = await startStack({ ports: "free", directory, ...options });
    try {
      return await Promise.race([work(stack), stack.failed.then((part) => Promise.reject(new Error(`${part} ended`)))]);
    } finally {
      await stack.stop();
    }
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
