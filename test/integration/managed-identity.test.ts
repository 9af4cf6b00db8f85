import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { managedIdentity } from "../../shared/adapters/identity/managed-identity.ts";
import { Unavailable } from "../../shared/ports/failures.ts";
import { azureTables } from "../../shared/adapters/tables/azure-tables.ts";
import { startIdentityEndpoint, type IdentityEndpoint, type Lifetime } from "../support/identity-endpoint.ts";

const SCOPE = "https://storage.azure.com/.default";
const anHour = { lastsMs: 3_600_000 };
const clientId = randomUUID();

/** The SDK remembers the first endpoint for the whole process, so all tests share one. */
let endpoint: IdentityEndpoint;
let lifetime: Lifetime | Promise<Lifetime> = anHour;
beforeAll(async () => {
  endpoint = await startIdentityEndpoint(clientId, () => lifetime);
  for (const [name, value] of Object.entries(endpoint.env)) vi.stubEnv(name, value);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await endpoint[Symbol.asyncDispose]();
});

it("makes no call of the tables wait longer than the call's own time, and gets a token later", async () => {
  const silence = Promise.withResolvers<Lifetime>();
  lifetime = silence.promise;
  const identity = managedIdentity(clientId);
  const { terminals } = azureTables({ endpoint: "https://127.0.0.1:1", credential: identity });
  const failure: unknown = await terminals.get("a", "b").catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(Unavailable);
  expect(failure).toMatchObject({ message: "Table Storage: no response within 2500 ms" });
  lifetime = anHour;
  silence.resolve(anHour);
  expect(await identity.getToken(SCOPE)).toMatchObject({ token: expect.any(String) as string });
});

it("requests one token for concurrent calls, and keeps it for later ones", async () => {
  const before = endpoint.issued.length;
  const identity = managedIdentity(clientId);
  const scope = "https://vault.azure.net/.default";
  const tokens = await Promise.all(Array.from({ length: 20 }, () => identity.getToken(scope)));
  tokens.push(await identity.getToken([scope]));
  expect(new Set(tokens.map((token) => token?.token)).size).toBe(1);
  expect(endpoint.issued.slice(before)).toMatchObject([{ resource: "https://vault.azure.net", clientId }]);
});

it("requests a token again if the earlier request has had no response for long", async () => {
  lifetime = Promise.withResolvers<Lifetime>().promise;
  const identity = managedIdentity(clientId, 50);
  const scope = "https://servicebus.azure.net/.default";
  const token = () => identity.getToken(scope, { abortSignal: AbortSignal.timeout(100) });
  await expect(token()).rejects.toThrow("aborted");
  lifetime = anHour;
  expect(await identity.getToken(scope)).toMatchObject({ token: expect.any(String) as string });
});

it("is the identity of the client ID, and no other identity replaces it if it has no token", async () => {
  const other = randomUUID();
  await expect(managedIdentity(other).getToken(SCOPE)).rejects.toMatchObject({ name: "CredentialUnavailableError" });
  await expect(managedIdentity(undefined).getToken(SCOPE)).rejects.toThrow();
  expect(endpoint.refused).toEqual([`the identity ${other}`, "the identity undefined"]);
});
