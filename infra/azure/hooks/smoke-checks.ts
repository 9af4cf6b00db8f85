import { randomUUID } from "node:crypto";
import { endpoints } from "../../../functions/endpoints.ts";
import { API_KEY_PREFIX, TERMINAL_KEY_PREFIX, type ApiName } from "../../../shared/auth/authenticate.ts";
import type { ProblemCode } from "../../../shared/contracts/objects/problem.ts";
import { problems } from "../../../shared/contracts/objects/problem.ts";
import { apiPaths } from "../../../shared/http/api-paths.ts";
import type { Contract } from "../../../shared/http/contract.ts";

/** A deployed platform, and what may be known of it. What is not known leaves checks out. */
export interface Deployed {
  /** Without a slash at its end. */
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

/** One thing that is asked of the platform. */
export interface Check {
  readonly what: string;
  /** A sentence that says what is wrong; undefined where nothing is. */
  readonly run: () => Promise<string | undefined>;
}

export interface Checks {
  readonly checks: readonly Check[];
  /** What is not asked, and what it takes. */
  readonly leftOut: readonly string[];
}

type Headers = Readonly<Record<string, string>>;
interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers?: Headers;
  readonly body?: string;
}

/** Well-formed, and nobody's: the function looks it up, so that its key and the tables are asked, too. */
const NOBODY = "0".repeat(32);
const unknownKeys = {
  partners: { apikey: `${API_KEY_PREFIX}_${NOBODY}_${NOBODY}` },
  terminals: { "x-terminal-key": `${TERMINAL_KEY_PREFIX}_${NOBODY}_${NOBODY}` },
  consumer: { authorization: `Basic ${btoa(`nobody:${NOBODY}`)}` },
} as const satisfies Record<ApiName, Headers>;

const withIds = (route: string): string => route.replaceAll(/\{\w+\}/g, () => randomUUID());

/** A request of an operation, with an empty object where it takes a body. */
function requestOf({ api, method, route, body }: Contract, headers: Headers): Sent {
  const path = `${apiPaths[api]}/${withIds(route)}`;
  const json = body && { body: "{}", headers: { ...headers, "content-type": "application/json" } };
  return { method, path, headers, ...json };
}

const contractsOf = (api: ApiName): Contract[] =>
  endpoints.map(({ contract }) => contract as Contract).filter((contract) => contract.api === api);

/** What a response usually means that was not expected. */
const reasons: Readonly<Record<number, string>> = {
  401: "a response of the Functions host or of Azure passed the gateway unshaped",
  404: "the gateway has no such operation: its APIs were not imported",
  429: "the gateway counts these few requests as too many",
  500: "the app has failed: its log has the line `requestFailed`",
  503: "the app does not respond, or a setting of it is wrong (the line `notStarted` of its log names it), or it does not take the gateway's key for this function, or cannot read its tables",
};

/** Every check of a deployed platform. None of them changes anything. */
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

/** The gateway refuses bodies before their function sees them, unless the function keeps what cannot be read. */
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

/** Of the operations that take the function key, those that take a password refuse a wrong one, and the other finds no page. */
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

/** Azure's front end may pass a body on in chunks, and the Functions host then gives the function none. */
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

/** How a response differs from the platform's own refusal with this code. */
function wrongIn({ status, headers, body }: Answer, code: ProblemCode | "not_found"): string | undefined {
  const expected = code === "not_found" ? 404 : problems[code].status;
  const got = (body as { code?: unknown } | undefined)?.code;
  if (status === expected && got === code)
    return headers.has("x-request-id") ? undefined : "its response has no x-request-id";
  const reason = reasons[status];
  const shown = typeof got === "string" ? `${status} ${got}` : `${status}, not in the platform's form`;
  return `got ${shown}, expected ${expected} ${code}${reason === undefined ? "" : `: ${reason}`}`;
}

/** The app's state: `alive`, or `notStarted` if it refuses its settings; undefined if it does not respond. */
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

/** What is wrong with each check, by the check. One that gets no response is wrong, too. */
export async function findings(checks: readonly Check[]): Promise<readonly { check: Check; wrong: string }[]> {
  const found: { check: Check; wrong: string }[] = [];
  for (const check of checks) {
    const wrong = await check.run().catch((error: unknown) => `no response: ${messageOf(error)}`);
    if (wrong !== undefined) found.push({ check, wrong });
  }
  return found;
}

/** A failed fetch hides its reason behind the cause. */
const messageOf = (error: unknown): string => {
  const { message, cause } = error as { message?: string; cause?: { code?: string } };
  return cause?.code ?? message ?? String(error);
};
