import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A token, with the resource of its request. */
export interface IssuedToken {
  readonly resource: string;
  readonly clientId: string | undefined;
  /** When it expires, in milliseconds since 1970. */
  readonly expiresAt: number;
}

export interface IdentityEndpoint extends AsyncDisposable {
  /** The environment of a process that has the identity. */
  readonly env: Readonly<Record<string, string>>;
  readonly issued: readonly IssuedToken[];
  /** Requests that no identity endpoint would have answered, in words. */
  readonly refused: readonly string[];
}

/** How long a token lasts, and the lifetime that the response claims, if it differs. In milliseconds. */
export interface Lifetime {
  readonly lastsMs: number;
  readonly saidMs?: number;
}

/**
 * The endpoint that App Service gives a process with one user-assigned identity. It issues tokens for any resource, by `lifetimeOf`. While
 * that is pending there is no response.
 */
export async function startIdentityEndpoint(
  clientId: string,
  lifetimeOf: (resource: string) => Lifetime | Promise<Lifetime>,
): Promise<IdentityEndpoint> {
  const header = randomUUID();
  const issued: IssuedToken[] = [];
  const refused: string[] = [];
  const answer = async ({ url = "", headers }: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname, searchParams: query } = new URL(url, "http://localhost");
    const asked = query.get("client_id") ?? undefined;
    const resource = query.get("resource") ?? "";
    const wrong =
      (pathname !== "/msi/token" && `the path ${pathname}`) ||
      (headers["x-identity-header"] !== header && "a wrong header") ||
      (query.get("api-version") !== "2019-08-01" && "another version") ||
      (asked !== clientId && `the identity ${asked}`);
    if (wrong) {
      refused.push(wrong);
      return void response.writeHead(400, { "content-type": "application/json" }).end('{"message":"refused"}');
    }
    const { lastsMs, saidMs = lastsMs } = await lifetimeOf(resource);
    const now = Date.now();
    const expiresAt = Math.ceil((now + lastsMs) / 1000) * 1000;
    issued.push({ resource, clientId: asked, expiresAt });
    response.writeHead(200, { "content-type": "application/json" }).end(
      JSON.stringify({
        access_token: tokenFor(resource, expiresAt),
        expires_on: String(Math.ceil((now + saidMs) / 1000)),
        resource,
        token_type: "Bearer",
        client_id: asked,
      }),
    );
  };
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    env: { IDENTITY_ENDPOINT: `http://127.0.0.1:${port}/msi/token`, IDENTITY_HEADER: header },
    issued,
    refused,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/**
 * A token in the format of Microsoft Entra ID, except for its signature, which no emulator checks. `expiresAt` is in milliseconds since
 * 1970.
 */
export function tokenFor(resource: string, expiresAt: number): string {
  const begins = Math.floor(Date.now() / 1000) - 60;
  const tenant = "https://sts.windows.net/00000000-0000-4000-8000-000000000000/";
  const claims = { aud: resource, iss: tenant, iat: begins, nbf: begins, exp: expiresAt / 1000 };
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  return `${part({ typ: "JWT", alg: "RS256" })}.${part(claims)}.${Buffer.from(randomUUID()).toString("base64url")}`;
}
