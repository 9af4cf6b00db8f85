import type { StackFile } from "../../stack/stack-file.ts";
import { Refusal, type LiveSource } from "./source.ts";

const ofPartner: readonly string[] = [
  "pos-payment-request",
  "pos-payment-cancel",
  "pos-payment-capture",
  "pos-payment-refund",
  "add-discount",
  "action-request-response",
];
const ofWebApplication = "landing-page-request";
const PATIENCE_MS = 30_000;

/**
 * Sends the requests of the shop's till and of its web application with the demo's keys. Only these operations of the gateway are allowed.
 */
export function newTill(file: StackFile): LiveSource["request"] {
  return async (operation, body) => {
    const headers = headersOf(operation, file);
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const refusal = await fetch(`${file.baseUrl}/${operation}`, {
      method: "POST",
      headers,
      body: JSON.stringify(body),
      signal,
    })
      .then(async (response) => (response.ok ? undefined : refusalIn(response.status, await response.text())))
      .catch((error: unknown) => {
        throw new Refusal("The platform did not respond.", { cause: error });
      });
    if (refusal !== undefined) throw new Refusal(refusal);
  };
}

/** The keys of the operation's caller. Throws `Refusal` if the till has no such operation. */
function headersOf(operation: string, { demo }: StackFile): Readonly<Record<string, string>> {
  if (ofPartner.includes(operation)) return demo.headers;
  if (operation !== ofWebApplication) throw new Refusal(`The till has no operation ${operation}.`);
  const { basic, functionKeys } = demo.consumer;
  return {
    authorization: `Basic ${basic}`,
    "x-functions-key": functionKeys[ofWebApplication],
    "content-type": "application/json",
  };
}

/** The problem's sentence and the status. The status alone if the body is not a problem, but for instance a gateway's own text. */
function refusalIn(status: number, body: string): string {
  const sentence = sentenceIn(body);
  return sentence === undefined ? `The platform responded ${status}.` : `${sentence.replace(/\.$/, "")} (${status}).`;
}

function sentenceIn(body: string): string | undefined {
  try {
    const problem = JSON.parse(body) as { readonly detail?: unknown; readonly title?: unknown } | null;
    return [problem?.detail, problem?.title].find((text) => typeof text === "string");
  } catch {
    return undefined;
  }
}
