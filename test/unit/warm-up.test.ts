import { expect, it } from "vitest";
import { warmUp } from "../../functions/warm-up.ts";

it("waits for everything that it opens, and does not fail if one of them does", async () => {
  const opened: string[] = [];
  const failing = async () => {
    throw new Error("away");
  };
  const slow = async () => {
    await new Promise((resolve) => setImmediate(resolve));
    opened.push("slow");
  };
  await warmUp([failing, slow]);
  expect(opened).toEqual(["slow"]);
});

it("does not delay a process's start for longer than its time", async () => {
  const never = () => new Promise<never>(() => {});
  await expect(warmUp([never], 1)).resolves.toBeUndefined();
});
