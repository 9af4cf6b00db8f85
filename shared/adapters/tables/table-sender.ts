import { randomUUID } from "node:crypto";
import type { TableClient } from "@azure/data-tables";
import { isOwnMistake, Unavailable } from "../../ports/failures.ts";
import { nameOfError } from "../../ports/logged-error.ts";
import type { TableResponse } from "./table-responses.ts";
import { endOfRead } from "./read-until.ts";
import { headersOf, tableHttp, type HttpRequest } from "./table-http.ts";
import type { TableRequest } from "./table-requests.ts";

/**
 * Time-out of one call. A request to an endpoint gives its dependencies three seconds in total. One call gets less, so that the endpoint
 * can still respond.
 */
export const CALL_TIMEOUT_MS = 2_500;

/**
 * Policies of the SDK that requests for rows skip. They are not needed here, and together they cost as much as the request. The policies
 * for the credential, retries, the user agent and the request's identifier stay.
 */
export const UNUSED_POLICIES = [
  "serializationPolicy", // bodies are written by table-requests.ts
  "deserializationPolicy", // responses are read by table-responses.ts
  "formDataPolicy", // no forms are sent
  "multipartPolicy", // a group's body is already a text
  "proxyPolicy", // connections are made without a proxy
  "decompressResponsePolicy", // no compressed responses are requested
  "wrapAbortSignalLikePolicy", // the signal is native
  "redirectPolicy", // Table Storage does not redirect, and redirects are not trusted
  "tracingPolicy", // no tracer is registered
  "logPolicy", // calls are not logged one by one
] as const;

/** The pipeline of requests for rows. */
export function rowsPipeline(table: TableClient): TableClient["pipeline"] {
  const pipeline = table.pipeline.clone();
  for (const name of UNUSED_POLICIES) pipeline.removePolicy({ name });
  return pipeline;
}

/** All tables share the connections, as with the SDK's own client. */
const http = tableHttp();

export interface TableSender {
  /** The account's address, without a SAS. */
  readonly address: string;
  /** Sends one request. Throws `Unavailable` if there is no response, or if the read that it belongs to has ended. */
  send(request: TableRequest): Promise<TableResponse>;
}

/** Sends requests through the table's own pipeline, each within `CALL_TIMEOUT_MS`. */
export function tableSender(table: TableClient): TableSender {
  const pipeline = rowsPipeline(table);
  const [whole = "", sas] = table.url.split("?", 2);
  const address = whole.replace(/\/$/, "");
  const urlOf = (path: string) => {
    if (sas === undefined) return address + path;
    return `${address}${path}${path.includes("?") ? "&" : "?"}${sas}`;
  };
  return {
    address,
    async send(request) {
      const end = endOfRead();
      if (end?.aborted) throw new Unavailable("Table Storage: the read has ended");
      const deadline = new AbortController();
      const signal = end ? AbortSignal.any([deadline.signal, end]) : deadline.signal;
      const timer = setTimeout(() => deadline.abort(), CALL_TIMEOUT_MS);
      try {
        const httpRequest = toHttpRequest(request, urlOf(request.path), signal);
        const { status, headers, bodyAsText } = await pipeline.sendRequest(http, httpRequest);
        return {
          status,
          contentType: headers.get("content-type") ?? "",
          text: bodyAsText ?? "",
          header: (name) => headers.get(name),
        };
      } catch (error) {
        if (isOwnMistake(error)) throw error;
        const why = deadline.signal.aborted ? `no response within ${CALL_TIMEOUT_MS} ms` : nameOfError(error);
        throw new Unavailable(`Table Storage: ${why}`, { cause: error });
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

const toHttpRequest = (
  { method, headers, body }: TableRequest,
  url: string,
  abortSignal: AbortSignal,
): HttpRequest => ({
  url,
  method,
  headers: headersOf(headers),
  ...(body !== undefined && { body }),
  abortSignal,
  requestId: randomUUID(),
  timeout: 0,
  withCredentials: false,
  // The address is from the connection string, which alone decides whether the connection is encrypted.
  allowInsecureConnection: url.startsWith("http:"),
});
