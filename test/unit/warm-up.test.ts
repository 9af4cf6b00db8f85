import { expect, it } from "vitest";
import { warmUp } from "../../functions/warm-up.ts";

it("waits for all that it opens, and a failure of one is none of its own", async () => {
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

it("does not keep a process from starting for longer than its time", async () => {
  const never = () => new Promise<never>(() => {});
  await expect(warmUp([never], 1)).resolves.toBeUndefined();
});
