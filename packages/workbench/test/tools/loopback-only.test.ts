import { AzureNamedKeyCredential, generateAccountSas } from "@azure/data-tables";
import { mkdtemp, rm } from "node:fs/promises";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { LoopbackServer } from "../../../local-azure/common/loopback-server.ts";
import { startReference } from "../../reference/reference.ts";
import { startStack, type Stack } from "../../stack/stack.ts";

let directory: string;
let stack: Stack | undefined;
let reference: LoopbackServer | undefined;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "loopback-"));
  stack = await startStack({ ports: "free", directory, hosts: 2 });
  reference = await startReference({ port: 0, stack: stack.file });
});
afterAll(async () => {
  await reference?.stop();
  await stack?.stop();
  await rm(directory, { recursive: true, force: true });
});

/** The address without the account's name, because Azurite responds 400 to a name in a form that it does not know. */
const tablesUrl = () => /TableEndpoint=([^;]+);/.exec(stack?.file.tables ?? "")?.[1];

/** Sends a target unchanged, with any host name. */
async function statusOf(base: string, path: string, host: string): Promise<number | undefined> {
  const { hostname, port } = new URL(base);
  const asked = httpRequest({ hostname, port, path, headers: { host } }).end();
  const [answer] = (await once(asked, "response")) as [IncomingMessage];
  answer.resume();
  return answer.statusCode;
}

describe.each<[string, () => string | undefined]>([
  ["the gateway", () => stack?.file.baseUrl],
  ["what stands before two hosts", () => stack?.file.functionsUrl],
  ["the mail sink", () => stack?.file.mails],
  ["the switch for faults", () => stack?.file.faults],
  ["the reference", () => reference?.url],
  ["the tables", tablesUrl],
])("%s", (_, where) => {
  const base = () => where() ?? "";

  it.each(["elsewhere.example", "localhost.elsewhere.example", "a@b", "127.0.0.1:80:80", "[::2]", "0.0.0.0"])(
    "does not respond under the name %j",
    async (host) => {
      expect(await statusOf(base(), new URL(base()).pathname, host)).toBe(421);
    },
  );

  it("does not respond if the target itself names another host", async () => {
    expect(await statusOf(base(), "http://elsewhere.example/mails", "localhost")).toBe(421);
    expect(await statusOf(base(), "http://a@127.0.0.1/mails", "localhost")).toBe(421);
  });

  it.each(["localhost", "LOCALHOST:1", "127.0.0.1:65535", "[::1]", "[::1]:80"])("responds as %s", async (host) => {
    expect(await statusOf(base(), new URL(base()).pathname, host)).not.toBe(421);
  });

  it.each(["//", "///x", "/%", "/\\", "*", "http://localhost", "http://[::1"])("survives %s", async (path) => {
    await statusOf(base(), path, "localhost");
    expect(await statusOf(base(), new URL(base()).pathname, "localhost")).toBeLessThan(500);
  });
});

it("the tables let no browser page write a row, even if it knows the account's key", async () => {
  const named = (member: string) => new RegExp(`${member}=([^;]+)`).exec(stack?.file.tables ?? "")?.[1] ?? "";
  const key = new AzureNamedKeyCredential(named("AccountName"), named("AccountKey"));
  const permissions = { add: true };
  const expiresOn = new Date(Date.now() + 3_600_000);
  const url = `${tablesUrl()}/Bells?${generateAccountSas(key, { permissions, expiresOn })}`;
  const write = (RowKey: string, more: Record<string, string> = {}) =>
    fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json;odata=nometadata", ...more },
      body: JSON.stringify({ PartitionKey: "p", RowKey }),
    });
  for (const origin of ["http://evil.example", "null", "http://127.0.0.1:7080"])
    expect((await write(origin.replaceAll("/", ""), { origin })).status).toBe(403);
  expect((await write("own")).status).toBe(201);
});
