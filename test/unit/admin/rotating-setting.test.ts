import { describe, expect, it } from "vitest";
import type { Cloud } from "../../../infra/operator/common/cloud.ts";
import { readConfig } from "../../../shared/edge/settings/config.ts";
import { shownOn } from "../../support/admin.ts";

const old = "an old key of some length, for a test";
const keys = { zulu: old };
const cloud = (more: Partial<Cloud> = {}) => ({
  tables: "",
  serviceBus: "",
  isLocal: false,
  around: { keyVault: "vault", functionApp: "app", resourceGroup: "group" },
  codeKeys: keys,
  ...more,
});
const complaint = async (more: Partial<Cloud>, ...words: string[]) =>
  shownOn(async () => cloud(more), words).then(
    () => "nothing",
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );

describe("code-key rotate", () => {
  it("prints the new key as the last, then as the first, then alone: values that the app reads", async () => {
    const steps = await shownOn<Record<string, string>[]>(async () => cloud(), ["code-key", "rotate", "--id", "alpha"]);
    const values = steps.map((step) => {
      const setting = { TOKEN_CODE_KEYS: step["TOKEN_CODE_KEYS"] };
      const required = { TABLES_CONNECTION: "t", SERVICE_BUS_CONNECTION: "s", CONSUMER_CREDENTIALS: "{}" };
      const own = '{"own":"0123456789abcdef0123456789abcdef"}';
      const more = {
        KEY_PEPPERS: own,
        WEBHOOK_SECRET_KEYS: own,
        SMTP_URL: "smtp://localhost",
        MAIL_FROM: "a@b.example",
      };
      return readConfig({ ...required, ...more, ...setting }).tokenCodeKeys;
    });
    expect(values.map((value) => Object.keys(value))).toEqual([["zulu", "alpha"], ["alpha", "zulu"], ["alpha"]]);
    const [first, second, third] = values;
    expect([first?.["zulu"], second?.["zulu"]]).toEqual([old, old]);
    expect(new Set([first?.["alpha"], second?.["alpha"], third?.["alpha"]]).size).toBe(1);
    expect(steps[0]?.["setIt"]).toContain("--vault-name vault --name TOKEN-CODE-KEYS --file /dev/stdin");
    expect(steps[0]?.["setIt"]).not.toContain(old); // no shell history contains it
    const app = "resourceGroups/group/providers/Microsoft.Web/sites/app";
    expect(steps[0]?.["setIt"]).toContain(`${app}/config/configreferences/appsettings/refresh?api-version=2022-03-01'`);
    expect(steps[0]?.["setIt"]).toMatch(/; az functionapp restart --name app --resource-group group$/);
  });

  it("creates a different secret each time, and an identifier from the time", async () => {
    const draw = () => shownOn<Record<string, string>[]>(async () => cloud(), ["code-key", "rotate"]);
    const [one, other] = [await draw(), await draw()];
    expect(one[2]?.["TOKEN_CODE_KEYS"]).toMatch(/^\{"k\d{12}":"[\w-]{43}"\}$/);
    expect(one[2]?.["TOKEN_CODE_KEYS"]).not.toBe(other[2]?.["TOKEN_CODE_KEYS"]);
  });

  it("refuses an identifier that already exists, or whose position a number would change; and says how to load the setting", async () => {
    expect(await complaint({}, "code-key", "rotate", "--id", "zulu")).toBe(
      "TOKEN_CODE_KEYS already has zulu: name another --id.",
    );
    expect(await complaint({}, "code-key", "rotate", "--id", "2026")).toContain("--id begins with a letter");
    expect(await complaint({ codeKeys: undefined }, "code-key", "rotate")).toContain(
      "az keyvault secret show --vault-name vault --name TOKEN-CODE-KEYS",
    );
    expect(await complaint({ codeKeys: undefined }, "erase", "--email", "anna@example.com")).toContain(
      "Set TOKEN_CODE_KEYS",
    );
  });
});

describe("purge and erase", () => {
  it.each([
    [["purge", "--older-than", "60"], "--older-than needs one --kind."],
    [["purge", "--kind", "orders"], /--kind is one of payments, receipts, actionRequests/],
    [["purge", "--kind", "alerts", "--older-than", "soon"], "--older-than takes a number of days, such as 60."],
    [
      ["purge", "--kind", "payments", "--older-than", "400"],
      "Records of the kind payments must stay for at least 548 days. A card payment may be disputed for up to eighteen months.",
    ],
    [["purge", "--kind", "events", "--older-than", "30"], /events must stay for at least 31 days/],
    [["erase", "--email", "Anna <anna@example.com>"], "--email takes one plain address, name@example.com."],
    [["erase"], /--email/],
  ])("refuse %j before they look for a cloud", async (words, message) => {
    const noCloud = () => Promise.reject(new Error("looked at the cloud"));
    const said = await shownOn(noCloud, words).then(
      () => "nothing",
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    );
    expect(said).toMatch(message);
  });
});
