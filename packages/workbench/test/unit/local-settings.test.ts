import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { fixedPorts } from "../../stack/ports.ts";
import { writeLocalSettings } from "../../start/local-settings.ts";
import example from "../../../../local.settings.example.json" with { type: "json" };

let folder: string;
beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), "settings-"))));
afterEach(() => rm(folder, { recursive: true, force: true }));

const settingsIn = async (file: string): Promise<unknown> => JSON.parse(await readFile(file, "utf8"));

it("writes the example's settings for the fixed ports", async () => {
  const file = join(folder, "local.settings.json");
  expect(await writeLocalSettings(file, fixedPorts)).toBe(true);
  expect(await settingsIn(file)).toEqual(example);
});

it("names other ports if the services have them", async () => {
  const file = join(folder, "local.settings.json");
  await writeLocalSettings(file, { tables: 4001, serviceBus: 4002, smtp: 4003, blobs: 4004, queues: 4005 });
  expect(await settingsIn(file)).toMatchObject({
    Values: {
      KEY_PEPPERS: example.Values.KEY_PEPPERS,
      TABLES_CONNECTION: expect.stringContaining("127.0.0.1:4001/"),
      SERVICE_BUS_CONNECTION: expect.stringContaining("localhost:4002;"),
      SMTP_URL: "smtp://127.0.0.1:4003",
    },
  });
});

it("does not change existing settings", async () => {
  const file = join(folder, "local.settings.json");
  await writeFile(file, "mine");
  expect(await writeLocalSettings(file, fixedPorts)).toBe(false);
  expect(await readFile(file, "utf8")).toBe("mine");
});
