import * as z from "zod";
import type { StackFile } from "../stack/stack-file.ts";
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
    const sent = { method: "POST", headers, body: JSON.stringify(body), signal };
    const { ok, status, text } = await fetch(`${file.baseUrl}/${operation}`, sent)
      .then(async (response) => ({ ok: response.ok, status: response.status, text: await response.text() }))
      .catch((error: unknown) => {
        throw new Refusal("The platform did not respond.", { status: 504, cause: error });
      });
    if (!ok) throw new Refusal(refusalIn(status, text), { status });
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

const problemObject = z.object({
  title: z.string(),
  detail: z.string().optional(),
  errors: z.array(z.object({ field: z.string(), message: z.string() })).default([]),
});

/**
 * The problem's sentence, its wrong fields and the status. The status alone if the body is not a problem, but for instance a gateway's own
 * text.
 */
function refusalIn(status: number, body: string): string {
  const problem = problemIn(body);
  if (!problem) return `The platform responded ${status}.`;
  const { title, detail = title, errors } = problem;
  const fields = errors.map(({ field, message }) => `${field} ${message}`).join(", ");
  return `${[detail.replace(/\.$/, ""), fields].filter(Boolean).join(": ")} (${status}).`;
}

function problemIn(body: string): z.infer<typeof problemObject> | undefined {
  try {
    return problemObject.safeParse(JSON.parse(body)).data;
  } catch {
    return undefined;
  }
}
