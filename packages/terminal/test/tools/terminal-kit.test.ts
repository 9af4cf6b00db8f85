import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";

it("the kit's command starts the reference terminal, cuts its power, and finds its memory on the disk", async () => {
  const terminal = `"${process.execPath}" packages/terminal/simulated/simulated-terminal.ts`;
  const words = ["--terminal", terminal, "--json", "--only", "power cut after the card", "--only", "memory lost"];
  const { stdout } = await promisify(execFile)(process.execPath, ["packages/terminal/kit/terminal-kit.ts", ...words]);

  expect(JSON.parse(stdout)).toEqual([
    { name: "power cut after the card", passed: true, ms: expect.any(Number) },
    { name: "memory lost", passed: true, ms: expect.any(Number) },
  ]);
});
