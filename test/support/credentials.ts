import { randomUUID } from "node:crypto";
import type { StackFile } from "../../packages/workbench/stack/stack-file.ts";
import type { DemoPartner } from "../../infra/operator/common/seed.ts";
import { hashKey, type KeyOwner, type Peppers } from "../../shared/edge/auth/credentials.ts";
import { scopes, type ApiKey } from "../../shared/stores/partners.ts";
import { azureTables } from "../../shared/adapters/tables/azure-tables.ts";
import { tablePorts } from "../../shared/stores/stores.ts";
import { documentedOperations, type DocumentedOperation } from "./api-documents.ts";

// The kinds of credentials that a caller may present, by API.

type Api = DocumentedOperation["api"];
type Headers = Readonly<Record<string, string>>;

/** The result of a kind of credential: accepted, refused before anything is read, or refused as if the requested object did not exist. */
export type Verdict = "let in" | "unknown" | "without scope" | "shown nothing";

export interface Credential {
  readonly kind: string;
  readonly verdict: Verdict;
  readonly headers: (operation: DocumentedOperation) => Headers;
}

/** A key of the right form and identifier, with another secret. */
const spoilt = (key: string) => `${key.slice(0, -1)}${key.endsWith("0") ? "1" : "0"}`;

/** Every kind of credential for the API, both of the owner and of a stranger. */
export async function credentialsOf(
  stack: StackFile,
  owner: DemoPartner,
  stranger: DemoPartner,
): Promise<Readonly<Record<Api, readonly Credential[]>>> {
  const { demo } = stack;
  const { functionKeys, basic } = demo.consumer;
  const consumerKey = functionKeys["get-landing-page"];
  const issued = await issueKeys(stack, owner);
  const subscription = { "Ocp-Apim-Subscription-Key": demo.subscriptionKey };
  const password = { Authorization: `Basic ${basic}` };

  const always =
    (headers: Headers): Credential["headers"] =>
    () =>
      headers;
  const refused = (kind: string, headers: Headers): Credential => ({
    kind,
    verdict: "unknown",
    headers: always(headers),
  });
  const apikey = (key: string) => ({ ...subscription, apikey: key });
  const terminalKey = (key: string) => ({ "x-terminal-key": key });
  const functionKey = (key: string) => ({ ...password, "x-functions-key": key });

  return {
    partners: [
      refused("none", subscription),
      refused("a wrong one", apikey(spoilt(owner.apikey))),
      refused("another API's", apikey(owner.terminals.silent.terminalKey)),
      refused("an expired one", apikey(issued.expired)),
      refused("a key without a subscription", { apikey: owner.apikey }),
      refused("a key with a wrong subscription", {
        ...apikey(owner.apikey),
        "Ocp-Apim-Subscription-Key": randomUUID(),
      }),
      {
        kind: "a key with every scope but these",
        verdict: "without scope",
        headers: ({ scopes }) => apikey(issued.without[scopes.join()] ?? ""),
      },
      { kind: "another partner's", verdict: "shown nothing", headers: always(apikey(stranger.apikey)) },
      {
        kind: "a key that does not reach the terminal",
        verdict: "shown nothing",
        headers: always(apikey(issued.narrow)),
      },
      { kind: "the right one", verdict: "let in", headers: always(apikey(owner.apikey)) },
    ],
    terminals: [
      refused("none", {}),
      refused("a wrong one", terminalKey(spoilt(owner.terminals.silent.terminalKey))),
      refused("another API's", terminalKey(owner.apikey)),
      refused("the right one in capitals", terminalKey(inCapitals(owner.terminals.silent.terminalKey))),
      {
        kind: "another partner's terminal's",
        verdict: "shown nothing",
        headers: always(terminalKey(stranger.terminals.silent.terminalKey)),
      },
      { kind: "another terminal's", verdict: "shown nothing", headers: always(terminalKey(issued.otherTerminal)) },
      { kind: "the right one", verdict: "let in", headers: always(terminalKey(owner.terminals.silent.terminalKey)) },
    ],
    consumer: [
      refused("none", password),
      refused("a wrong one", functionKey(spoilt(consumerKey))),
      refused("another API's", functionKey(demo.functionsKeys.partners)),
      { kind: "the right one", verdict: "let in", headers: always(functionKey(consumerKey)) },
    ],
  };
}

const inCapitals = (key: string) => {
  const [prefix, id = "", secret] = key.split("_");
  return [prefix, id.toUpperCase(), secret].join("_");
};

/** Another key of the owner, with the same secret and these differences, as an operator would create it. */
export async function issueKey(
  { tables, peppers }: StackFile,
  owner: DemoPartner,
  change: Partial<ApiKey>,
): Promise<string> {
  const { partners } = tablePorts(azureTables(tables));
  const [prefix, known = "", secret] = owner.apikey.split("_");
  const key = await partners.findKey(known);
  if (!key) throw new Error("the owner's key is gone");
  const keyId = randomUUID();
  const hashed = hashedFor(secret, peppers, { keyId, partnerId: key.partnerId });
  await partners.saveKey({ ...key, ...hashed, ...change, keyId }, undefined);
  return [prefix, keyId, secret].join("_");
}

/** The hash of a key is bound to its identifier and partner, so a copied row would prove nothing. */
function hashedFor(secret = "", peppers: Peppers, owner: KeyOwner) {
  const [[pepperId, pepper] = ["", ""]] = Object.entries(peppers);
  return { hash: hashKey(secret, pepper, owner), pepperId };
}

async function issueKeys(stack: StackFile, owner: DemoPartner) {
  const { partners, terminals } = tablePorts(azureTables(stack.tables));
  const view = await terminals.find(owner.terminals.silent.pointOfServiceID);
  if (!view) throw new Error("the owner's terminal is gone");
  const issue = (change: Partial<ApiKey>) => issueKey(stack, owner, change);
  const terminalId = randomUUID();
  const [terminalPrefix, , terminalSecret] = owner.terminals.silent.terminalKey.split("_");
  const keyOwner = { keyId: terminalId, partnerId: view.terminal.partnerId };
  const { hash: keyHash, pepperId } = hashedFor(terminalSecret, stack.peppers, keyOwner);
  await terminals.save({ ...view.terminal, terminalId, idAsReceived: terminalId, keyHash, pepperId }, undefined);
  await partners.addTerminal(owner.partnerID, terminalId);
  const needed = new Set(
    documentedOperations.map((operation) => operation.scopes.join()).filter((names) => names !== ""),
  );
  const without = [...needed].map(async (names) => [
    names,
    await issue({ scopes: scopes.filter((scope) => !names.split(",").includes(scope)) }),
  ]);
  return {
    expired: await issue({ expiresAt: new Date(Date.now() - 1_000).toISOString() }),
    narrow: await issue({ terminalIds: [terminalId] }),
    otherTerminal: [terminalPrefix, terminalId.replaceAll("-", ""), terminalSecret].join("_"),
    without: Object.fromEntries(await Promise.all(without)) as Readonly<Record<string, string>>,
  };
}
