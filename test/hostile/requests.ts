import { randomUUID } from "node:crypto";
import type { StackFile } from "../../packages/workbench/stack/stack-file.ts";
import type { Random } from "../support/seeded-random.ts";
import { hostileBody, rightBody } from "./bodies.ts";
import { targets, type Target } from "./operations.ts";
import { oddText } from "./values.ts";

export type Way = "gateway" | "host";

/** A request before it is sent. */
export interface Shot {
  readonly kind: string;
  readonly way: Way;
  readonly target: Target;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer | undefined;
  /** Text of the caller that no refusal may repeat. */
  readonly marker: string;
  /** Whether documents or credentials require a refusal. */
  readonly isWrong: boolean;
}

export interface Caller {
  readonly stack: StackFile;
  readonly random: Random;
  /** Whether the run may draw a request that the platform could accept. */
  readonly mayBeRight: () => boolean;
}

/** Draws a request: its operation, its target, and its fault. A proxy on the way may have added a header. */
export function draw(caller: Caller): Shot {
  const shot = drawWithout(caller);
  if (!caller.random.chance(0.2)) return shot;
  const added = caller.random.pick<Record<string, string>>({}, ...addedHeaders);
  const [name = "nothing"] = Object.keys(added);
  return { ...shot, kind: `${shot.kind} and ${name} added`, headers: { ...shot.headers, ...added } };
}

/** Draws a request without such a header. It sometimes has no fault, if an accepted request is allowed. */
function drawWithout({ stack, random, mayBeRight }: Caller): Shot {
  const [first, ...others] = targets;
  if (!first) throw new Error("the documents have no operation");
  const target = random.pick(first, ...others);
  const way: Way = random.chance(0.5) ? "gateway" : "host";
  const marker = `mk${Math.floor(random.next() * 2 ** 40).toString(36)}zq`;
  const headers = { ...credentialsFor(stack, target, way), "content-type": "application/json" };
  const { pointOfServiceID } = stack.demo.terminals.autopilot;
  const known = {
    pointOfServiceID,
    merchantID: stack.demo.merchantID,
    productID: stack.demo.consumer.productID,
    templateAccessTokenID: stack.demo.consumer.templateAccessTokenID,
  };
  const right = target.body && rightBody(target, known);
  const plain = {
    way,
    target,
    marker,
    method: target.method,
    path: target.path.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/, randomUUID()),
    headers,
    body: right && JSON.stringify(right),
  };
  const unexpected = (): Shot => {
    const body = random.pick(marker, "{}", " ", marker.repeat(10_000));
    return { ...plain, kind: "body where none is taken", isWrong: true, body };
  };
  const maybe = (): Shot => {
    if (!right)
      return random.chance(0.3) ? unexpected() : { ...plain, ...oddAddress(random, plain.path, target, marker) };
    const { kind, text, isWrong } = hostileBody(random, target, right, marker);
    return { ...plain, kind, isWrong, body: text };
  };
  const spoiled = { ...plain, ...spoiledHeaders(random, headers, target, way, marker) };
  if (random.chance(0.2)) return spoiled;
  if (random.chance(0.1)) return { ...plain, ...oddAddress(random, plain.path, target, marker) };
  if (mayBeRight() && random.chance(0.02)) return { ...plain, kind: "right", isWrong: false };
  const shot = maybe();
  return shot.isWrong || target.body === undefined || mayBeRight() ? shot : spoiled;
}

function credentialsFor({ demo }: StackFile, { api, operationId }: Target, way: Way): Record<string, string> {
  const { basic, functionKeys } = demo.consumer;
  if (api === "consumer") {
    const key = functionKeys[operationId as keyof typeof functionKeys];
    return {
      authorization: `Basic ${basic}`,
      "x-functions-key": key,
    };
  }
  const own: Record<string, string> =
    api === "partners"
      ? { apikey: demo.apikey, "ocp-apim-subscription-key": demo.subscriptionKey }
      : { "x-terminal-key": demo.terminals.silent.terminalKey };
  return way === "host" ? { ...own, "x-functions-key": demo.functionsKeys[api] } : own;
}

/** The bytes of a text in UTF-8, as a client of HTTP wants them. */
const utf8 = (text: string) => Buffer.from(text).toString("latin1");

/** Headers at which servers and libraries on the way may fail before the function runs. */
const addedHeaders: readonly Record<string, string>[] = [
  { "x-city": utf8("Łódź") },
  { "x-city": "S\u00e3o Paulo" },
  { "x-mood": utf8("😀") },
  { "x-line": utf8("a\u2028b\ufffd") },
  { traceparent: utf8("00-ł") },
  { tracestate: utf8("a=ł"), baggage: utf8("ł=ł"), "request-id": utf8("|ł.") },
  { cookie: utf8("a=ł") },
  { "x-forwarded-proto": "https, http" },
  { "disguised-host": "a..b" },
  { "x-ms-client-principal": "%" },
  { prefer: utf8("handling=strict; ł") },
  { accept: utf8("ł") },
  Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`x-${i}`, utf8("ł")])),
];

/** Header values that HTTP itself allows. Other values are sent raw. */
const oddHeaders = [
  "",
  " ",
  "x",
  "pk__",
  "pk_a_b",
  "tk_a_b",
  "Basic ",
  "Basic !!!!",
  "Basic Og==",
  "null",
  "é",
  "a,b",
  "x".repeat(4_000),
];

/** A credential or content type that is missing or wrong. */
function spoiledHeaders(
  random: Random,
  headers: Readonly<Record<string, string>>,
  { api, body, operationId }: Target,
  way: Way,
  marker: string,
) {
  const proof = { partners: "apikey", consumer: "x-functions-key", terminals: "x-terminal-key" }[api];
  const asText = body !== undefined && way === "gateway" && random.chance(0.2);
  const name = asText ? "content-type" : random.pick(proof, ...(way === "host" ? ["x-functions-key"] : []));
  const values = asText
    ? ["text/plain", marker, "application/jsonx", "application/x-www-form-urlencoded"]
    : [marker, `pk_${marker}_a`, ...oddHeaders];
  const { [name]: _, ...without } = headers;
  const changed = random.chance(0.2) && !asText ? without : { ...headers, [name]: random.pick("x", ...values) };
  const isReadAnyway = asText && operationId === "report";
  return { kind: `header ${name}`, headers: changed, isWrong: !isReadAnyway };
}

/** A path, query or parameter that differs from the documented one. It may make any name invalid, so only a GET may be accepted. */
function oddAddress(random: Random, path: string, { method, parameters }: Target, marker: string) {
  const odd = random.pick(
    marker,
    encodeURIComponent(oddText(random).toWellFormed()),
    "..",
    "%2e%2e",
    "%5c",
    "%00",
    "a%",
    "x".repeat(3_000),
  );
  const [first, ...others] = parameters.filter(({ in: where }) => where === "query");
  // The longest documented wait would hold its connection for 55 s.
  const value = random.pick(
    marker,
    "-1",
    "56",
    "1e400",
    "0x1",
    "",
    "%20",
    "NaN",
    encodeURIComponent(oddText(random).toWellFormed()),
  );
  const kinds: Readonly<Record<string, string>> = {
    "path longer": `${path}/${odd}`,
    "path changed": path.replace(/[^/]+$/, odd),
    "path doubled": path.replace("/", "//"),
    query: `${path}?${first ? random.pick(first, ...others).name : marker}=${value}`,
    "query doubled": `${path}?wait=0&wait=0&${marker}=1`,
  };
  const names = method === "GET" ? Object.keys(kinds) : ["path longer", "path changed"];
  const kind = random.pick("path longer", ...names);
  return { kind: `address ${kind}`, path: kinds[kind] ?? path, isWrong: method !== "GET" };
}
