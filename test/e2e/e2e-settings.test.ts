import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { asStack, lacksOf, readSettings } from "../deployed/settings.ts";
import { operatorOf } from "../support/admin.ts";
import { partnerOn } from "../support/partner.ts";

const stack = inject("stack");
let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "e2e-settings-"));
});
afterAll(async () => rm(directory, { recursive: true, force: true }));

it("The settings file for a deployed platform has partners that the platform knows; the operator fills in a subscription's key", async () => {
  const file = join(directory, "e2e.json");
  const make = () => operatorOf(stack).shown("e2e-settings", file, "--partners", "2");
  expect(await make()).toMatchObject({ file, partners: 2 });
  if (process.platform !== "win32") expect((await stat(file)).mode & 0o077).toBe(0);
  await expect(make()).rejects.toThrow("EEXIST");
  await expect(readSettings(file)).rejects.toThrow("subscriptionKey: is empty");

  const written = await readFile(file, "utf8");
  await writeFile(file, written.replace('"subscriptionKey": ""', `"subscriptionKey": "${stack.demo.subscriptionKey}"`));
  const settings = await readSettings(file);
  expect(lacksOf(settings)).toEqual(["operator", "host", "cloud", "webhooks", "consumer", "mails", "deadlines"]);
  const deployed = asStack(stack.baseUrl, settings);
  const { pay, request, silent } = partnerOn(deployed, deployed.demo);
  await silent.online();
  expect(await pay(request())).toMatchObject({ status: 202 });
});
