import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { startStack } from "../../infra/local/stack.ts";

it("leaves no process behind when one part cannot start", async () => {
  const directory = await mkdtemp(join(tmpdir(), "half-a-stack-"));
  const queueOverrides = { lockDuration: "a while" };
  try {
    await expect(startStack({ ports: "free", directory, queueOverrides })).rejects.toThrow(/^the Service Bus ended/);
    await expect.poll(() => process.getActiveResourcesInfo()).not.toContain("ProcessWrap");
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
});
