import { inject } from "vitest";
import { keepAnswer } from "./answers.ts";
import { isDocumented, judge } from "./api-documents.ts";

// Runs before each file of the black-box tests. From then on every response of a gateway is checked against the OpenAPI documents, in any
// helper that requests it. An undocumented response fails the test that received it.

const plainFetch = globalThis.fetch;

globalThis.fetch = async (input, init) => {
  const { method = "GET", url } = input instanceof Request ? input : { ...init, url: String(input) };
  const response = await plainFetch(input, init);
  if (!isDocumented(url, inject("stack"))) return response;
  const { status, headers } = response;
  const body = Buffer.from(await response.clone().arrayBuffer());
  const verdict = judge({ method, url, status, headers, body: body.toString() });
  keepAnswer(verdict, { headers: Object.fromEntries(headers), body });
  if (verdict.complaints.length > 0) {
    throw new Error(
      `${method} ${url} → ${status}, which its OpenAPI document does not know: ${verdict.complaints.join("; ")}`,
    );
  }
  return response;
};
