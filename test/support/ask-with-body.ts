import { once } from "node:events";
import { request, type IncomingMessage } from "node:http";
import { request as secureRequest } from "node:https";
import { buffer } from "node:stream/consumers";
import { keepAnswer } from "./answers.ts";
import { judge } from "./api-documents.ts";

interface Asked {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent in one piece: with a Content-Length if the headers name one, otherwise chunked. */
  readonly body: string;
}

/**
 * Sends a body with any method, which `fetch` refuses. Throws if the OpenAPI documents do not describe the response. The response is kept.
 */
export async function askWithBody({ method, url, headers, body }: Asked): Promise<{ status: number; code?: string }> {
  const sent = (new URL(url).protocol === "https:" ? secureRequest : request)(url, { method, headers });
  if (body !== "") sent.write(body);
  sent.end();
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  const { statusCode: status = 0 } = response;
  const received = await buffer(response);
  const answered = received.toString();
  const seen = new Headers(Object.entries(response.headers).map(([name, value]) => [name, String(value)]));
  const verdict = judge({ method, url, status, headers: seen, body: answered });
  keepAnswer(verdict, { headers: Object.fromEntries(seen), body: received });
  if (verdict.complaints.length > 0) throw new Error(`${method} ${url} → ${status}: ${verdict.complaints.join("; ")}`);
  const { code } = JSON.parse(answered.startsWith("{") ? answered : "{}") as { readonly code?: string };
  return { status, ...(code !== undefined && { code }) };
}
