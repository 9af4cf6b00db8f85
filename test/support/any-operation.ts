import type { StackFile } from "../../packages/workbench/stack/stack-file.ts";
import type { ProblemObject } from "../../shared/contracts/objects/problem.ts";
import type { DocumentedOperation } from "./api-documents.ts";

export interface Variation {
  readonly headers?: Readonly<Record<string, string>>;
  readonly without?: string;
  readonly body?: string | ReadableStream<Uint8Array>;
}

/** The credentials of the demo's callers, by API. */
export function credentialsOf({ demo }: StackFile): Record<DocumentedOperation["api"], Record<string, string>> {
  const { basic, functionKeys } = demo.consumer;
  return {
    partners: { apikey: demo.apikey, "Ocp-Apim-Subscription-Key": demo.subscriptionKey },
    consumer: { Authorization: `Basic ${basic}`, "x-functions-key": functionKeys["get-landing-page"] },
    terminals: { "x-terminal-key": demo.terminals.silent.terminalKey },
  };
}

/** Sends the documented example of any operation as the demo caller of its API, with changes by the test. */
export function asksOf(stack: StackFile) {
  const credentials = credentialsOf(stack);
  const gateway = stack.baseUrl;
  return async ({ api, method, path, body: example }: DocumentedOperation, vary: Variation = {}, origin = gateway) => {
    const headers: Record<string, string> = {
      ...credentials[api],
      "Content-Type": "application/json",
      ...vary.headers,
    };
    if (vary.without !== undefined) delete headers[vary.without];
    const body = vary.body ?? (example && JSON.stringify(example));
    const response = await fetch(`${origin}${path}`, {
      method,
      headers,
      ...(body !== undefined && { body }),
      ...(body instanceof ReadableStream && { duplex: "half" }),
    });
    const isJson = response.headers.get("content-type")?.includes("json") === true;
    const answered = isJson ? await response.json() : {};
    const { code, errors } = answered as Partial<Pick<ProblemObject, "code" | "errors">>;
    return { status: response.status, code, errors, headers: response.headers };
  };
}
