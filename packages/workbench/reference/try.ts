import { once } from "node:events";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { apiPaths } from "../../../shared/edge/http/api-paths.ts";
import { demoKeys } from "./demo-documents.ts";
import { curlOf, type ShownRequest } from "../live/curl.ts";
import { Refusal } from "../live/source.ts";
import type { StackFile } from "../stack/stack-file.ts";
import { membersOf, type Living } from "./live-examples.ts";
import { filled, readOperations, type Operation } from "./operations.ts";
import type { OperationView } from "./views/operations.ts";
import type { TryResult, TryInput } from "./views/try.ts";

/** Longer than a terminal's poll, which waits up to 55 s. */
const PATIENCE_MS = 65_000;

interface Trying {
  /** The operations with the demo's identifiers, and with new identifiers for objects to be created. */
  operations(): Promise<readonly OperationView[]>;
  /** Throws `Refusal` if the request cannot be sent, or if there is no response. */
  tryOut(input: TryInput): Promise<TryResult>;
}

/**
 * Tries the operations of the published documents on the running stack, through its gateway, with the demo's keys. A request can only go to
 * this gateway: its address and the operation's path are fixed, and path values are encoded. The commands have the addresses of `shown`.
 */
export function newTry(file: StackFile, living: Living, shown = file): Trying {
  let documented: ReturnType<typeof readOperations> | undefined;
  const operations = () => (documented ??= readOperations());
  return {
    operations: async () => [...(await operations()).values()].map((operation) => filled(operation, file, living)),
    async tryOut(input) {
      const operation = (await operations()).get(input.operation);
      if (!operation) throw new Refusal(`The documents have no operation ${input.operation}.`);
      const curl = curlOf(requestOf(operation, input, shown));
      if (input.preview) return { status: undefined, ms: undefined, headers: [], body: "", curl };
      const result = await send(requestOf(operation, input, file));
      return { ...result, curl, ...paymentOf(input, result, file, living) };
    },
  };
}

/** The request of an input. Fields that the operation does not have are ignored, and so are empty query and header fields. */
function requestOf({ view, schemes, keyHeaders }: Operation, input: TryInput, file: StackFile): ShownRequest {
  const given = view.fields.map((field) => ({ ...field, value: (input.fields[field.name] ?? "").toWellFormed() }));
  const inPath = new Map(given.filter((field) => field.in === "path").map(({ name, value }) => [name, value]));
  const path = view.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(inPath.get(name) ?? ""));
  const query = given.filter((field) => field.in === "query" && field.value !== "");
  const headers = given.filter((field) => field.in === "header" && field.value !== "");
  const takesBody = view.body !== undefined;
  return {
    method: view.method,
    url: `${file.baseUrl}${apiPaths[view.api]}${path}${query.length === 0 ? "" : `?${queryText(query)}`}`,
    headers: [
      ...schemes.map((scheme) => keyHeader(scheme, keyHeaders, file)),
      ...(takesBody ? [["Content-Type", "application/json"] as const] : []),
      ...headers.map(({ name, value }) => [name, value] as const),
    ],
    ...(takesBody && { body: input.body ?? "" }),
  };
}

const queryText = (fields: readonly { readonly name: string; readonly value: string }[]): string =>
  fields.map(({ name, value }) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join("&");

function keyHeader(
  scheme: string,
  keyHeaders: Readonly<Record<string, string>>,
  file: StackFile,
): readonly [string, string] {
  if (scheme === "basic") return ["Authorization", `Basic ${file.demo.consumer.basic}`];
  const keys: Readonly<Record<string, string>> = demoKeys(file);
  const [name, key] = [keyHeaders[scheme], keys[scheme]];
  if (name === undefined || key === undefined) throw new Error(`the demo has no key for the scheme ${scheme}`);
  return [name, key];
}

/** Sends the request unchanged. The path is not normalised, so dot segments arrive as written. */
async function send({ method, url, headers, body = "" }: ShownRequest): Promise<Omit<TryResult, "curl">> {
  const began = performance.now();
  const signal = AbortSignal.timeout(PATIENCE_MS);
  const { hostname, port, origin } = new URL(url);
  const length: [string, string][] = method === "GET" ? [] : [["Content-Length", String(Buffer.byteLength(body))]];
  try {
    const sent = httpRequest({
      host: hostname,
      port,
      method,
      path: url.slice(origin.length),
      headers: [["Host", `${hostname}:${port}`], ...headers, ...length].flat(),
      agent: false,
      signal,
    });
    sent.end(method === "GET" ? undefined : body);
    const [response] = (await once(sent, "response")) as [IncomingMessage];
    const received = await text(response);
    const ms = Math.round(performance.now() - began);
    return { status: response.statusCode, ms, headers: pairsOf(response.rawHeaders), body: received };
  } catch (error) {
    throw new Refusal(refusalFor(error), { cause: error });
  }
}

function refusalFor(error: unknown): string {
  const { name, code } = Object(error) as { readonly name?: string; readonly code?: string };
  if (name === "AbortError" || name === "TimeoutError")
    return `No response came within ${PATIENCE_MS / 1_000} seconds.`;
  if (code === "ERR_INVALID_CHAR") return "A header cannot hold these characters. Nothing was sent.";
  return `The gateway did not respond${code === undefined ? "" : ` (${code})`}.`;
}

const pairsOf = (raw: readonly string[]): readonly (readonly [string, string])[] =>
  raw.flatMap((name, index) => (index % 2 === 0 ? [[name, raw[index + 1] ?? ""] as const] : []));

/** The payment that the response names, otherwise the payment that the request names. A rejected request may not have created a payment. */
function paymentOf(
  { operation, fields, body }: TryInput,
  result: Pick<TryResult, "status" | "body">,
  { demo }: StackFile,
  { payments }: Living,
) {
  if (operation === "pos-status" || operation === "set-pos-status") return {}; // they name the terminal's current payment
  const names = [membersOf(result.body)["sessionID"], membersOf(body ?? "")["sessionID"], fields["session_id"]];
  const sessionId = names.find((name) => typeof name === "string" && name !== "");
  if (typeof sessionId !== "string") return {};
  const known = payments().find((one) => one.partnerId === demo.partnerID && one.sessionId === sessionId.toLowerCase());
  if (known) return { paymentId: known.id };
  const terminalId = membersOf(result.body)["pointOfServiceID"];
  const isTaken = result.status !== undefined && result.status < 400 && typeof terminalId === "string";
  return isTaken ? { paymentId: `${demo.partnerID}/${terminalId.toLowerCase()}/${sessionId.toLowerCase()}` } : {};
}
