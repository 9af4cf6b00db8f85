import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { onBattery } from "../../simulated/device.ts";

const kit = (...words: string[]) =>
  promisify(execFile)(process.execPath, ["packages/terminal/kit/terminal-kit.ts", ...words]);

it("the kit names no rule if the terminal's command is wrong", async () => {
  const played = kit("--terminal", `"${process.execPath}" no-such-terminal.js`, "--only", "approval");
  await expect(played).rejects.toMatchObject({
    code: 1,
    stdout: "",
    stderr: expect.stringMatching(/^The terminal ended before its first call: exit 1\n[^]*NOT_FOUND/) as string,
  });
});

it("the kit's command starts the reference terminal, cuts its power, and finds its memory on the disk", async () => {
  const terminal = `"${process.execPath}" packages/terminal/simulated/simulated-terminal.ts`;
  const only = ["--only", "power cut after the card", "--only", "memory lost"];
  const { stdout } = await kit("--terminal", terminal, "--json", ...only);

  expect(JSON.parse(stdout)).toEqual({
    terminal: {
      device: onBattery("SIM-1").about,
      can: ["tips"],
      battery: 100,
      warnings: [],
    },
    results: [
      { name: "power cut after the card", passed: true, ms: expect.any(Number) },
      { name: "memory lost", passed: true, ms: expect.any(Number) },
    ],
  });
});
