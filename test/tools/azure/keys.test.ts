import { expect, it } from "vitest";
import { keyGroups } from "../../../infra/azure/function-keys.ts";
import type { Azure } from "../../../infra/azure/hooks/azure.ts";
import { setKeys } from "../../../infra/azure/hooks/keys.ts";

const place = { subscriptionId: "sub", resourceGroup: "rg", app: "func", keysVault: "kv-keys" };

/** An app with these settings. A key's value is the name of its secret. The app records the keys that functions get. */
function fakeApp(settings: Readonly<Record<string, string>>, status = 200) {
  const keys = new Map<string, string>();
  const cloud: Pick<Azure, "send"> = {
    async send({ method, url, body }) {
      if (method === "POST") return { status: 200, body: { properties: settings } };
      if (method === "GET") return { status: 200, body: { value: /secrets\/([\w-]+)\?/.exec(url)?.[1] } };
      const [, name = "", key = ""] = /functions\/([\w-]+)\/keys\/([\w-]+)\?/.exec(url) ?? [];
      keys.set(`${name} ${key}`, (body as { properties: { value: string } }).properties.value);
      return { status, body: { error: { code: "NotFound" } } };
    },
  };
  return { cloud, keys };
}

it("each function gets the key of its group, and no other", async () => {
  const { cloud, keys } = fakeApp({});
  expect(await setKeys(cloud, place)).toBe(keys.size);
  for (const { key, functions, secrets } of keyGroups)
    for (const name of functions) expect(keys.get(`${name} ${key}`)).toBe(secrets[0]);
});

it("an app that keeps its keys in the vault is not changed", async () => {
  const { cloud, keys } = fakeApp({ AzureWebJobsSecretStorageType: "keyvault" });
  await expect(setKeys(cloud, place)).rejects.toThrow("change them there. No key was set");
  expect(keys.size).toBe(0);
});

it("a function that does not accept its key is named, without the key", async () => {
  const { cloud } = fakeApp({}, 404);
  await expect(setKeys(cloud, place)).rejects.toThrow(
    /^The function [\w-]+ did not take its key \(404 NotFound\); 0 have/,
  );
});
