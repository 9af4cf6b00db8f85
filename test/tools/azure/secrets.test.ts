import { describe, expect, it } from "vitest";
import type { Azure, AzureRequest, AzureResponse } from "../../../infra/azure/hooks/azure.ts";
import { layFoundation, readEnvironment } from "../../../infra/azure/hooks/foundation.ts";
import { makeSecrets, secretSettings } from "../../../infra/azure/hooks/secrets.ts";
import { azureVault } from "../../../infra/azure/hooks/vault.ts";
import { keyGroups } from "../../../infra/azure/function-keys.ts";
import { endpoints } from "../../../functions/endpoints.ts";
import { readConfig } from "../../../shared/config.ts";
import { read } from "../../support/pages.ts";

const place = { subscriptionId: "sub", resourceGroup: "rg" };
type Refuse = (request: AzureRequest) => AzureResponse | undefined;

/** Azure with two vaults, as Azure Resource Manager and the vaults show them: two names a page. It records what was asked of it. */
function fakeAzure(refuse: Refuse = () => undefined) {
  const vaults: Record<string, Map<string, string>> = { "kv-app": new Map(), "kv-keys": new Map() };
  const calls: string[] = [];
  const commands: string[] = [];
  const vaultOf = (url: string) =>
    vaults[/vaults\/([\w-]+)|\/\/([\w-]+)\.vault/.exec(url)?.slice(1).find(Boolean) ?? ""] ?? new Map<string, string>();
  const list = (url: URL): AzureResponse => {
    const names = [...vaultOf(url.href).keys()];
    const from = Number(url.searchParams.get("from") ?? 0);
    const next = new URL(url);
    next.searchParams.set("from", String(from + 2));
    const value = names.slice(from, from + 2).map((name) => ({ name }));
    return { status: 200, body: { value, ...(from + 2 < names.length && { nextLink: next.href }) } };
  };
  const answer = ({ method, url, body }: AzureRequest): AzureResponse => {
    const secret = /secrets\/([\w-]+)/.exec(url)?.[1];
    if (method === "PUT") {
      vaultOf(url).set(secret ?? "", (body as { properties: { value: string } }).properties.value);
      return { status: 201, body: {} };
    }
    if (secret !== undefined) {
      const value = vaultOf(url).get(secret);
      return value === undefined ? { status: 404, body: undefined } : { status: 200, body: { value } };
    }
    if (url.includes("/deployments/foundation"))
      return {
        status: 200,
        body: { properties: { outputs: { settingsVault: { value: "kv-app" }, keysVault: { value: "kv-keys" } } } },
      };
    return list(new URL(url));
  };
  const azure: Azure = {
    async send(request) {
      calls.push(`${request.method} ${new URL(request.url).pathname.split("/").slice(-3).join("/")}`);
      return refuse(request) ?? answer(request);
    },
    az: async (words) => void commands.push(words.join(" ")),
  };
  const of = (name: string) => azureVault(azure, place, name);
  let count = 0;
  return {
    azure,
    calls,
    commands,
    vaults: { settings: of("kv-app"), keys: of("kv-keys") },
    stored: (vault: string) => vaults[vault] ?? new Map<string, string>(),
    generate: {
      id: "first",
      secret: () => `secret-of-forty-three-characters-or-so-${String(++count).padStart(4, "0")}`,
    },
  };
}

describe("the secrets of a new environment", () => {
  it("are all made, in a form with which the app starts", async () => {
    const { vaults, generate, stored } = fakeAzure();
    const made = await makeSecrets(vaults, generate);
    expect(made).toHaveLength(stored("kv-app").size - 1 + stored("kv-keys").size); // the password is told of by its hash
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

  it("are those of the settings that are secret", () => {
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

  it("give every HTTP function a key, so that the host never makes any", async () => {
    const { vaults, generate, stored } = fakeAzure();
    await makeSecrets(vaults, generate);
    const functions = [...endpoints.map(({ contract }) => contract.name), "health", "health-detail"];
    for (const name of functions)
      expect([...stored("kv-keys").keys()]).toContainEqual(
        expect.stringMatching(new RegExp(`^function--${name.replaceAll("-", "-045")}--`)),
      );
  });
});

it("what is there is kept, in any case of its name, and the rest is made", async () => {
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
  expect(after).toEqual(before); // the function has the key of its group again
  expect(await makeSecrets(vaults, generate)).toEqual([]);
});

it.each([
  ["the vault of keys cannot be listed", "kv-keys", 403, { error: { code: "Forbidden" } }],
  ["the vault of settings cannot be listed", "kv-app", 404, { error: { code: "ResourceNotFound" } }],
  ["a page is no page", "kv-keys", 200, {}],
])("where %s nothing is made", async (_, vault, status, body) => {
  const { vaults, generate, calls } = fakeAzure(({ method, url }) =>
    method === "GET" && url.includes(vault) ? { status, body } : undefined,
  );
  await expect(makeSecrets(vaults, generate)).rejects.toThrow(`The secrets of the vault ${vault} cannot be listed`);
  expect(calls.filter((call) => call.startsWith("PUT"))).toEqual([]);
});

it("where the second page of names is refused nothing is made", async () => {
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

it("a secret that another deployment made since the names were listed is kept", async () => {
  const { vaults, generate, stored } = fakeAzure(({ method, url }) => {
    if (method === "GET" && url.includes("KEY-PEPPERS")) stored("kv-app").set("KEY-PEPPERS", "theirs");
    return undefined;
  });
  await expect(makeSecrets(vaults, generate)).rejects.toThrow("KEY-PEPPERS of the vault kv-app is there already");
  expect(stored("kv-app").get("KEY-PEPPERS")).toBe("theirs");
});

it("a deleted secret is not made anew: the sentence says how to have it back", async () => {
  const { vaults, generate } = fakeAzure(({ method, url }) =>
    method === "PUT" && url.includes("KEY-PEPPERS")
      ? { status: 409, body: { error: { code: "Conflict" } } }
      : undefined,
  );
  await expect(makeSecrets(vaults, generate)).rejects.toThrow(
    "az keyvault secret recover --vault-name kv-app --name KEY-PEPPERS",
  );
});

it("the foundation is shown and deployed before the secrets, and no command carries one", async () => {
  const { azure, commands, generate, stored } = fakeAzure();
  const environment = { ...place, location: "swedencentral", name: "dev" };
  const made = await layFoundation(azure, environment, generate);
  expect(commands.map((command) => command.split(" ").slice(0, 3).join(" "))).toEqual([
    "group create --subscription",
    "deployment group what-if",
    "deployment group create",
  ]);
  expect(made).toContain("kv-keys/host--masterKey--master");
  const values = [...stored("kv-app").values(), ...stored("kv-keys").values()];
  for (const value of values) expect(`${commands.join()} ${made.join()}`).not.toContain(value);
});

it("an environment without its variables is refused with their names", () => {
  expect(() => readEnvironment({ AZURE_ENV_NAME: "dev", AZURE_LOCATION: "x", AZURE_RESOURCE_GROUP: "a b" })).toThrow(
    "AZURE_SUBSCRIPTION_ID and AZURE_RESOURCE_GROUP must be set",
  );
});
