import { AzureCliCredential, AzureDeveloperCliCredential, ChainedTokenCredential } from "@azure/identity";
import * as z from "zod";

/** A request to one of Azure's APIs. Its URL contains the version of the API. */
export interface AzureRequest {
  readonly method: "DELETE" | "GET" | "PUT" | "POST";
  readonly url: string;
  readonly body?: unknown;
}

export interface AzureResponse {
  readonly status: number;
  /** The parsed JSON. Undefined if there is none. */
  readonly body: unknown;
}

/** Azure, as the hooks use it. */
export interface Azure {
  /** Sends a request as the person or pipeline that deploys. Every status is a response. It rejects only if there is no response. */
  readonly send: (request: AzureRequest) => Promise<AzureResponse>;
  /** The object identifier of that person or pipeline. */
  readonly deployer: () => Promise<string>;
}

export const MANAGEMENT = "https://management.azure.com";

/** The identity of `azd auth login` or `az login` on this machine. */
const identity = () => new ChainedTokenCredential(new AzureDeveloperCliCredential(), new AzureCliCredential());

/** A token is for one service. A vault's host name is in its service's domain. */
const scopeOf = ({ origin, hostname }: URL): string =>
  hostname.endsWith(".vault.azure.net") ? "https://vault.azure.net/.default" : `${origin}/.default`;

/** The real Azure. A request without a response within half a minute fails. */
export function azure(credential: Pick<ChainedTokenCredential, "getToken"> = identity()): Azure {
  return {
    async send({ method, url, body }) {
      const token = await credential.getToken(scopeOf(new URL(url)));
      const response = await fetch(url, {
        method,
        headers: {
          authorization: `Bearer ${token.token}`,
          ...(body !== undefined && { "content-type": "application/json" }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        redirect: "error",
        signal: AbortSignal.timeout(30_000),
      });
      const text = await response.text();
      return { status: response.status, body: jsonOf(text) };
    },
    async deployer() {
      const { token } = await credential.getToken(`${MANAGEMENT}/.default`);
      const claims = jsonOf(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());
      return z.object({ oid: z.string() }).parse(claims).oid;
    },
  };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The code of an error of Azure. Undefined if there is none. */
export function codeOf({ body }: AzureResponse): string | undefined {
  const { error } = (body ?? {}) as { error?: { code?: string; innererror?: { code?: string } } };
  return error?.innererror?.code ?? error?.code;
}

/** The status and code of an error of Azure, without any value that was sent. */
export function errorOf(response: AzureResponse): string {
  const code = codeOf(response);
  return code === undefined ? `${response.status}` : `${response.status} ${code}`;
}

/** Reads the variables that azd sets for a hook. Throws a sentence if one is missing. */
export function readVariables<T>(known: z.ZodType<T>, variables: Readonly<Record<string, string | undefined>>): T {
  const read = known.safeParse(variables);
  if (read.success) return read.data;
  const names = new Set(read.error.issues.map(({ path }) => path.join(".")));
  throw new Error(
    `${[...names].join(" and ")} must be set, as azd does from the environment and the outputs of the deployment.`,
  );
}
