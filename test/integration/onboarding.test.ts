import { randomUUID } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, inject, it } from "vitest";
import { parsedOnboarding } from "../../infra/operator/admin/onboarding-text.ts";
import { createTables } from "../../infra/operator/common/create-tables.ts";
import { tablesConnection } from "../../packages/workbench/stack/azurite.ts";
import { operatorOf } from "../support/admin.ts";

const tables = tablesConnection(inject("azurite"));
const operator = operatorOf({
  tables,
  serviceBus: "Endpoint=sb://127.0.0.1/", // no command here needs it
  peppers: { p1: "a pepper" },
  codeKeys: {},
  webhookSecretKeys: { w1: "a key" },
});
beforeAll(() => createTables(tables));

/** The values that a command shows, by name. */
type Made = Readonly<Record<string, string>>;

it("names the merchants of a partner's terminals", async () => {
  const { printed, shown } = operator;
  const { partnerID = "" } = await shown<Made>("partner", "create", "--name", "Two tills");
  const merchant = ["--partner", partnerID, "--merchant", randomUUID()];
  const register = (...more: string[]) => printed("terminal", "register", ...merchant, "--name", "Till", ...more);
  const first = await register("--merchant-name", "Café");
  expect(first.notes).toContain("No other terminal has this merchant.");
  const second = await register();
  expect(second.notes.join("\n")).toMatch(/^Other terminals have "Café" for this merchant\. `merchant rename` /m);
  const listed = () => shown<Made[]>("merchant", "list", "--partner", partnerID);
  expect(await listed()).toMatchObject([
    { merchantID: merchant[3], name: 'Its terminals differ: "Café", 1 without a name', names: ["Café"], terminals: 2 },
  ]);
  expect(await shown("merchant", "rename", ...merchant, "--name", "Bistro")).toMatchObject({ terminals: 2 });
  expect(await listed()).toMatchObject([{ name: "Bistro" }]);
  const tills = await shown<Made[]>("terminal", "list", "--partner", partnerID);
  expect(tills.map(({ merchantName }) => merchantName)).toEqual(["Bistro", "Bistro"]);
  expect(await shown("terminal", "show", tills[0]?.["pointOfServiceID"] ?? "")).toMatchObject({
    merchantName: "Bistro",
  });
  expect((await register("--merchant-name", "Bistro")).notes.join("\n")).not.toContain("merchant");
  const strange = ["--partner", partnerID, "--merchant", randomUUID()];
  await expect(shown("merchant", "rename", ...strange, "--name", "Bistro")).rejects.toThrow("None of the partner's");
});

it("sets a partner up by one command, which shows no secret, and does nothing if it is repeated", async () => {
  const { printed, shown } = operator;
  const folder = await mkdtemp(join(tmpdir(), "onboarding-"));
  try {
    const file = join(folder, "partner.env");
    const words = ["partner", "onboard", "--name", "Kassabolaget", "--terminals", "2", "--out", file];
    const first = await printed(...words, "--yes");
    const { onboarding } = parsedOnboarding(await readFile(file, "utf8"), file);
    const { partnerId, merchantId, terminals } = onboarding;
    expect(first.out).toContain(partnerId);
    const stored = async () => ({
      partner: await shown("partner", "show", partnerId),
      keys: await shown<Made[]>("key", "list", "--partner", partnerId),
      terminals: await shown<Made[]>("terminal", "list", "--partner", partnerId),
    });
    const before = await stored();
    expect(before).toMatchObject({
      partner: { name: "Kassabolaget", webhookSecrets: 1 },
      keys: [{ status: "active", scopes: ["payments", "refunds"] }],
      terminals: [{ merchantID: merchantId }, { merchantID: merchantId }],
    });
    const again = await printed(...words);
    expect(again.notes).toContain(`Everything in ${file} is there. Nothing was changed.`);
    expect(again.out).toBe(first.out);
    expect(await stored()).toEqual(before);

    const audit = (await shown<{ command: string; about: Made }[]>("audit", "list")).filter(
      ({ about }) => about["new partnerID"] === partnerId,
    );
    expect(audit).toMatchObject([{ command: "partner onboard", outcome: "done" }]);
    const said = JSON.stringify([first, again, audit]);
    const secrets = [onboarding.apikey, onboarding.webhookSecret, ...terminals.map(({ terminalKey }) => terminalKey)];
    for (const secret of secrets) expect(said).not.toContain(secret.split("_").at(-1));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
