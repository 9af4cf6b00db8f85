import type { Azure, AzureRequest, AzureResponse } from "../../../infra/azure/hooks/azure.ts";
import { azureVault } from "../../../infra/azure/hooks/vault.ts";

/** The place of the fake vaults. */
export const place = { subscriptionId: "sub", resourceGroup: "rg" };
type Refuse = (request: AzureRequest) => AzureResponse | undefined;

/** Azure with two vaults, as Azure Resource Manager and the vaults show them, with two names on each page. It records its requests. */
export function fakeAzure(refuse: Refuse = () => undefined) {
  const vaults: Record<string, Map<string, string>> = { "kv-app": new Map(), "kv-keys": new Map() };
  const calls: string[] = [];
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
    if (method === "DELETE") return { status: 204, body: undefined };
    if (method === "PUT") {
      vaultOf(url).set(secret ?? "", (body as { properties: { value: string } }).properties.value);
      return { status: 201, body: {} };
    }
    if (secret !== undefined) {
      const value = vaultOf(url).get(secret);
      return value === undefined ? { status: 404, body: undefined } : { status: 200, body: { value } };
    }
    return list(new URL(url));
  };
  const azure: Azure = {
    deployer: async () => "deployer",
    async send(request) {
      calls.push(`${request.method} ${new URL(request.url).pathname.split("/").slice(-3).join("/")}`);
      return refuse(request) ?? answer(request);
    },
  };
  const of = (name: string) => azureVault(azure, place, name);
  let count = 0;
  return {
    azure,
    calls,
    vaults: { settings: of("kv-app"), keys: of("kv-keys") },
    stored: (vault: string) => vaults[vault] ?? new Map<string, string>(),
    generate: {
      id: "first",
      secret: () => `secret-of-forty-three-characters-or-so-${String(++count).padStart(4, "0")}`,
    },
  };
}
