import { describe, expect, it } from "vitest";
import { makeSecrets, secretSettings } from "../../../infra/azure/hooks/secrets.ts";
import { keyGroups } from "../../../infra/azure/function-keys.ts";
import { endpoints } from "../../../functions/endpoints.ts";
import { readConfig } from "../../../shared/edge/settings/config.ts";
import { read } from "../../support/pages.ts";
import { fakeAzure } from "./fake-azure.ts";

describe("the secrets of a new environment", () => {
  it("are all created, in a form with which the app starts", async () => {
    const { vaults, generate, stored } = fakeAzure();
    const made = await makeSecrets(vaults, generate);
    expect(made).toHaveLength(stored("kv-app").size - 1 + stored("kv-keys").size); // the password occurs only as its hash
    const settings = Object.fromEntries(
      [...stored("kv-app")].map(([name, value]) => [name.replaceAll("-", "_"), value]),
    );
    const config = readConfig({
      ...settings,
      TABLES_CONNECTION: "UseDevelopmentStorage=true",
      SERVICE_BUS_CONNECTION: "Endpoint=sb://bus.example/",
      MAIL_FROM: "a@b.example",
    });
    expect(Object.keys(config.peppers)).toEqual(["first"]);
    expect([...config.consumers.keys()]).toEqual(["web-first"]);
    expect(stored("kv-app").has("CONSUMER-PASSWORD-web-first")).toBe(true);
  });

  it("are those of the secret settings", () => {
    const { secretSettings: declared } = JSON.parse(read("infra/azure/generated/platform.json")) as {
      secretSettings: readonly { setting: string }[];
    };
    expect(Object.keys(secretSettings).toSorted()).toEqual(declared.map(({ setting }) => setting).toSorted());
  });

  it("hold the master key before any other key, and one value for all functions of a group", async () => {
    const { vaults, generate, stored, calls } = fakeAzure();
    await makeSecrets(vaults, generate);
    const names = [...stored("kv-keys").keys()];
    expect(names[0]).toBe("host--masterKey--master");
    expect(calls.filter((call) => call.startsWith("PUT")).at(-1)).toBe(
      "PUT kv-keys/secrets/function--health-045detail--operator",
    );
    for (const { secrets } of keyGroups)
      expect(new Set(secrets.map((secret) => stored("kv-keys").get(secret))).size).toBe(1);
    const values = keyGroups.map(({ secrets }) => stored("kv-keys").get(secrets[0] ?? ""));
    expect(new Set(values).size).toBe(keyGroups.length);
  });

  it("give every HTTP function a key, so that the host never creates any", async () => {
    const { vaults, generate, stored } = fakeAzure();
    await makeSecrets(vaults, generate);
    const functions = [...endpoints.map(({ contract }) => contract.name), "health", "health-detail"];
    for (const name of functions)
      expect([...stored("kv-keys").keys()]).toContainEqual(
        expect.stringMatching(new RegExp(`^function--${name.replaceAll("-", "-045")}--`)),
      );
  });
});

it("existing secrets are kept, in any letter case of their names, and the others are created", async () => {
  const { vaults, generate, stored } = fakeAzure();
  await makeSecrets(vaults, generate);
  const before = new Map([...stored("kv-app"), ...stored("kv-keys")]);
  stored("kv-app").delete("SMTP-URL");
  stored("kv-app").set("smtp-url", "smtps://ours:587");
  stored("kv-keys").delete("function--report--gateway");
  const again = await makeSecrets(vaults, generate);
  expect(again).toEqual(["kv-keys/function--report--gateway"]);
  const after = new Map([...stored("kv-app"), ...stored("kv-keys")]);
  before.set("smtp-url", "smtps://ours:587").delete("SMTP-URL");
  expect(after).toEqual(before); // the function has its group's key again
  expect(await makeSecrets(vaults, generate)).toEqual([]);
});

it.each([
  ["the vault of keys cannot be listed", "kv-keys", 403, { error: { code: "Forbidden" } }],
  ["the vault of settings cannot be listed", "kv-app", 404, { error: { code: "ResourceNotFound" } }],
  ["a page is no page", "kv-keys", 200, {}],
])("if %s nothing is created", async (_, vault, status, body) => {
  const { vaults, generate, calls } = fakeAzure(({ method, url }) =>
    method === "GET" && url.includes(vault) ? { status, body } : undefined,
  );
  await expect(makeSecrets(vaults, generate)).rejects.toThrow(`The secrets of the vault ${vault} cannot be listed`);
  expect(calls.filter((call) => call.startsWith("PUT"))).toEqual([]);
});

it("if the second page of names is refused nothing is created", async () => {
  let pages = 0;
  const azure = fakeAzure(({ url }) =>
    url.includes("from=2") && ++pages > 0 ? { status: 503, body: undefined } : undefined,
  );
  for (const name of ["a", "b", "c"]) azure.stored("kv-keys").set(name, "x");
  await expect(makeSecrets(azure.vaults, azure.generate)).rejects.toThrow("cannot be listed (503)");
  expect(azure.stored("kv-app").size).toBe(0);
});

it("a group's key that cannot be read is not guessed: its new function gets none, and the sentence says why", async () => {
  let isClosed = false;
  const { vaults, generate, stored } = fakeAzure(({ url }) =>
    isClosed && url.includes(".vault.azure.net") ? { status: 403, body: { error: { code: "Forbidden" } } } : undefined,
  );
  await makeSecrets(vaults, generate);
  stored("kv-keys").delete("function--report--gateway");
  isClosed = true;
  await expect(makeSecrets(vaults, generate)).rejects.toThrow(/cannot be read \(403 Forbidden\): it takes the role/);
  expect(stored("kv-keys").has("function--report--gateway")).toBe(false);
});

it("a secret that another deployment created since the names were listed is kept", async () => {
  const { vaults, generate, stored } = fakeAzure(({ method, url }) => {
    if (method === "GET" && url.includes("KEY-PEPPERS")) stored("kv-app").set("KEY-PEPPERS", "theirs");
    return undefined;
  });
  await expect(makeSecrets(vaults, generate)).rejects.toThrow("KEY-PEPPERS of the vault kv-app is there already");
  expect(stored("kv-app").get("KEY-PEPPERS")).toBe("theirs");
});

it("a deleted secret is not created again: the sentence says how to restore it", async () => {
  const { vaults, generate } = fakeAzure(({ method, url }) =>
    method === "PUT" && url.includes("KEY-PEPPERS")
      ? { status: 409, body: { error: { code: "Conflict" } } }
      : undefined,
  );
  await expect(makeSecrets(vaults, generate)).rejects.toThrow(
    "az keyvault secret recover --vault-name kv-app --name KEY-PEPPERS",
  );
});
