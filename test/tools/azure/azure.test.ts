import { createServer } from "node:http";
import { expect, it } from "vitest";
import * as z from "zod";
import { azure, readVariables } from "../../../infra/azure/hooks/azure.ts";
import { listening } from "../../../packages/local-azure/common/test/listening.ts";

const scopes: unknown[] = [];
const credential = {
  getToken: async (scope: string | string[]) => {
    scopes.push(scope);
    return { token: "token", expiresOnTimestamp: 0 };
  },
};

it("a request carries the token of its service, and its body as JSON; every status is a response", async () => {
  const seen: unknown[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (chunk: string) => (body += chunk));
    request.on("end", () => {
      const { method, url, headers } = request;
      seen.push({ method, url, authorization: headers.authorization, type: headers["content-type"], body });
      if (method === "GET") response.writeHead(503).end("<html>");
      else response.writeHead(201).end("{}");
    });
  });
  const origin = `http://127.0.0.1:${await listening(server)}`;
  const { send } = azure(credential);
  expect(await send({ method: "PUT", url: `${origin}/a?b=c`, body: { d: 1 } })).toEqual({ status: 201, body: {} });
  expect(await send({ method: "GET", url: `${origin}/` })).toEqual({ status: 503, body: undefined });
  expect(seen).toEqual([
    { method: "PUT", url: "/a?b=c", authorization: "Bearer token", type: "application/json", body: '{"d":1}' },
    { method: "GET", url: "/", authorization: "Bearer token", type: undefined, body: "" },
  ]);
  expect(new Set(scopes)).toEqual(new Set([`${origin}/.default`]));
});

it("a vault's token is for all vaults, and not for its host name", async () => {
  const { send } = azure({
    getToken: (scope) => {
      throw new Error(`asked for ${String(scope)}`);
    },
  });
  await expect(send({ method: "GET", url: "https://kv-app.vault.azure.net/secrets/a" })).rejects.toThrow(
    "asked for https://vault.azure.net/.default",
  );
});

it("the deployer is who the token names", async () => {
  const claims = Buffer.from(JSON.stringify({ oid: "3f2e" })).toString("base64url");
  const { deployer } = azure({ getToken: async () => ({ token: `e30.${claims}.`, expiresOnTimestamp: 0 }) });
  expect(await deployer()).toBe("3f2e");
});

it("one sentence names the missing variables", () => {
  const known = z.object({ settingsVault: z.string(), keysVault: z.string() });
  expect(readVariables(known, { settingsVault: "kv-app", keysVault: "kv-keys", HOME: "/" })).toEqual({
    settingsVault: "kv-app",
    keysVault: "kv-keys",
  });
  expect(() => readVariables(known, {})).toThrow(/^settingsVault and keysVault must be set, as azd does/);
});
