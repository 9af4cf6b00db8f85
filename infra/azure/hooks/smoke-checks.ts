import { randomUUID } from "node:crypto";
import { endpoints } from "../../../functions/endpoints.ts";
import { API_KEY_PREFIX, TERMINAL_KEY_PREFIX, type ApiName } from "../../../shared/edge/auth/authenticate.ts";
import type { ProblemCode } from "../../../shared/contracts/objects/problem.ts";
import { problems } from "../../../shared/contracts/objects/problem.ts";
import { apiPaths } from "../../../shared/edge/http/api-paths.ts";
import type { Contract } from "../../../shared/edge/http/contract.ts";

/** A deployed platform. Each unknown value leaves out some checks. */
export interface Deployed {
  /** Without a trailing slash. */
  readonly gatewayUrl: string;
  /** A subscription of API Management. */
  readonly subscriptionKey?: string | undefined;
  /** The consumers' function key. */
  readonly consumerKey?: string | undefined;
  /** A user of the consumer API with its password. */
  readonly consumer?: { readonly user: string; readonly password: string } | undefined;
  /** The origin of the consumers' web application. */
  readonly consumerWebOrigin?: string | undefined;
}

/** One check of the platform. */
export interface Check {
  readonly what: string;
  /** Resolves with a sentence that says what is wrong, or with undefined. */
  readonly run: () => Promise<string | undefined>;
}

export interface Checks {
  readonly checks: readonly Check[];
  /** The checks that are left out, and the values that they need. */
  readonly leftOut: readonly string[];
}

type Headers = Readonly<Record<string, string>>;
interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers?: Headers;
  readonly body?: string;
}

/** Well-formed, but not in use. The function looks it up, so its host key and the tables are checked too. */
const NOBODY = "0".repeat(32);
const unknownKeys = {
  partners: { apikey: `${API_KEY_PREFIX}_${NOBODY}_${NOBODY}` },
  terminals: { "x-terminal-key": `${TERMINAL_KEY_PREFIX}_${NOBODY}_${NOBODY}` },
  consumer: { authorization: `Basic ${btoa(`nobody:${NOBODY}`)}` },
} as const satisfies Record<ApiName, Headers>;

const withIds = (route: string): string => route.replaceAll(/\{\w+\}/g, () => randomUUID());

/** A request of an operation, with an empty object if the operation has a body. */
function requestOf({ api, method, route, body }: Contract, headers: Headers): Sent {
  const path = `${apiPaths[api]}/${withIds(route)}`;
  const json = body && { body: "{}", headers: { ...headers, "content-type": "application/json" } };
  return { method, path, headers, ...json };
}

const contractsOf = (api: ApiName): Contract[] =>
  endpoints.map(({ contract }) => contract as Contract).filter((contract) => contract.api === api);

/** The usual reason for an unexpected status. */
const reasons: Readonly<Record<number, string>> = {
  401: "a response of the Functions host or of Azure passed the gateway unshaped",
  404: "the gateway has no such operation: its APIs were not imported",
  429: "the gateway counts these few requests as too many",
  500: "the app has failed: its log has the line `requestFailed`",
  503: "the app does not respond, or a setting of it is wrong (the line `notStarted` of its log names it), or it does not take the gateway's key for this function, or cannot read its tables",
};

/** All checks of a deployed platform. They change nothing. */
export function checksOf(deployed: Deployed): Checks {
  const { gatewayUrl, subscriptionKey, consumerKey, consumer, consumerWebOrigin } = deployed;
  const leftOut: string[] = [];

  const refused = (
    what: string,
    sent: Sent,
    code: ProblemCode | "not_found",
    more: Expect = () => undefined,
  ): Check => ({
    what: `${sent.method} ${sent.path.replaceAll(/[0-9a-f-]{36}/g, "{id}")} ${what}`,
    run: async () => {
      const answer = await send(gatewayUrl, sent);
      return wrongIn(answer, code) ?? more(answer);
    },
  });
  const each = (api: ApiName, what: string, headers: Headers): Check[] =>
    contractsOf(api).map((contract) => refused(what, requestOf(contract, headers), "invalid_credentials"));

  const checks: Check[] = [
    { what: "GET /probes/health", run: () => health(gatewayUrl) },
    refused("that no API has", { method: "GET", path: "/outside" }, "not_found"),
    ...each("partners", "without a subscription", {}),
    ...each("terminals", "without a key", {}),
    ...each("terminals", "with an unknown terminal key", unknownKeys.terminals),
    ...each("consumer", "without a function key", {}),
    ...each("consumer", "with a wrong function key", { "x-functions-key": NOBODY, ...unknownKeys.consumer }),
    ...bodies(refused),
  ];
  if (subscriptionKey === undefined) leftOut.push("partners' functions, which takes a subscription key");
  else
    checks.push(
      ...each("partners", "with an unknown apikey", {
        "ocp-apim-subscription-key": subscriptionKey,
        ...unknownKeys.partners,
      }),
    );
  if (consumerWebOrigin === undefined) leftOut.push("a refusal read by the consumers' page, which takes its origin");
  else checks.push(readableRefusal(refused, consumerWebOrigin));
  if (consumerKey === undefined) leftOut.push("consumers' functions, which takes their key");
  else checks.push(...consumersOwn(refused, { "x-functions-key": consumerKey, ...unknownKeys.consumer }));
  if (consumerKey === undefined || consumer === undefined)
    leftOut.push("that a body reaches its function, which takes a consumer's password");
  else checks.push(bodyArrives(refused, consumerKey, consumer));
  return { checks, leftOut };
}

type Expect = (response: Answer) => string | undefined;
type Refused = (what: string, sent: Sent, code: ProblemCode, more?: Expect) => Check;

/** The gateway rejects bad bodies before the function sees them, unless the function keeps unreadable bodies (`unread`). */
function bodies(refused: Refused): Check[] {
  const [first] = contractsOf("terminals").filter(({ body }) => body !== undefined && body.unread === undefined);
  if (!first) return [];
  const sent = (type: string, body: string): Sent => ({
    ...requestOf(first, unknownKeys.terminals),
    headers: { ...unknownKeys.terminals, "content-type": type },
    body,
  });
  return [
    refused("with a body above 64 KiB", sent("application/json", JSON.stringify("x".repeat(70_000))), "body_too_large"),
    refused("with a body that is no JSON", sent("text/plain", "{}"), "unsupported_media_type"),
  ];
}

/** Checks that consumers' operations accept the function key. Those with a password reject a wrong password; the other finds no page. */
const consumersOwn = (refused: Refused, headers: Headers): Check[] =>
  contractsOf("consumer").map((contract) =>
    contract.basic
      ? refused("with a wrong password", requestOf(contract, headers), "invalid_credentials")
      : refused("of a page that is not there", requestOf(contract, headers), "landing_page_not_found"),
  );

const readableRefusal = (refused: Refused, origin: string): Check =>
  refused(
    "from the consumers' page",
    { method: "GET", path: `/landing-page/${randomUUID()}`, headers: { origin } },
    "invalid_credentials",
    ({ headers }) =>
      headers.get("access-control-allow-origin") === origin ? undefined : "the page may not read the refusal",
  );

/** Checks that a body arrives. If Azure's front end forwards it in chunks, the Functions host gives the function no body. */
const bodyArrives = (refused: Refused, key: string, { user, password }: NonNullable<Deployed["consumer"]>): Check =>
  refused(
    "with an empty object",
    {
      method: "POST",
      path: "/landing-page-request",
      headers: {
        "content-type": "application/json",
        "x-functions-key": key,
        authorization: `Basic ${btoa(`${user}:${password}`)}`,
      },
      body: "{}",
    },
    "validation_failed",
  );

interface Answer {
  readonly status: number;
  readonly headers: Response["headers"];
  readonly body: unknown;
}

async function send(gatewayUrl: string, { method, path, headers, body }: Sent): Promise<Answer> {
  const response = await fetch(`${gatewayUrl}${path}`, {
    method: method.toUpperCase(),
    ...(headers && { headers }),
    ...(body !== undefined && { body }),
    signal: AbortSignal.timeout(30_000),
  });
  const text = await response.text();
  const isJson = /^application\/(problem\+)?json/.test(response.headers.get("content-type") ?? "");
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : undefined };
}

/** Says how a response differs from the platform's own rejection with this code. Undefined if it does not. */
function wrongIn({ status, headers, body }: Answer, code: ProblemCode | "not_found"): string | undefined {
  const expected = code === "not_found" ? 404 : problems[code].status;
  const got = (body as { code?: unknown } | undefined)?.code;
  if (status === expected && got === code)
    return headers.has("x-request-id") ? undefined : "its response has no x-request-id";
  const reason = reasons[status];
  const shown = typeof got === "string" ? `${status} ${got}` : `${status}, not in the platform's form`;
  return `got ${shown}, expected ${expected} ${code}${reason === undefined ? "" : `: ${reason}`}`;
}

/** The app's state: `alive`, or `notStarted` if it rejects its settings. Undefined if it does not respond. */
export async function stateOf(gatewayUrl: string): Promise<string | undefined> {
  const { body } = await askHealth(gatewayUrl);
  const state = (body as { status?: unknown } | undefined)?.status;
  return typeof state === "string" ? state : undefined;
}

const askHealth = (gatewayUrl: string) => send(gatewayUrl, { method: "GET", path: "/probes/health" });

async function health(gatewayUrl: string): Promise<string | undefined> {
  const { status, body } = await askHealth(gatewayUrl);
  if (status === 200 && (body as { status?: unknown } | undefined)?.status === "alive") return undefined;
  return `got ${status}, expected 200 alive: ${reasons[status] ?? "no process of the app responds"}`;
}

/** The failed checks, and what is wrong with each. A check without a response has failed too. */
export async function findings(checks: readonly Check[]): Promise<readonly { check: Check; wrong: string }[]> {
  const found: { check: Check; wrong: string }[] = [];
  for (const check of checks) {
    const wrong = await check.run().catch((error: unknown) => `no response: ${messageOf(error)}`);
    if (wrong !== undefined) found.push({ check, wrong });
  }
  return found;
}

/** The reason of a failed fetch is in its `cause`. */
const messageOf = (error: unknown): string => {
  const { message, cause } = error as { message?: string; cause?: { code?: string } };
  return cause?.code ?? message ?? String(error);
};
