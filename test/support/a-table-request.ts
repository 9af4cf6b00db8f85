import { headersOf, type HttpRequest } from "../../shared/adapters/tables/table-http.ts";

/** A request to the tables in the form in which the SDK's pipeline passes it on. */
export const aTableRequest = (url: string, more: Partial<HttpRequest> = {}): HttpRequest => ({
  url,
  method: "GET",
  headers: headersOf({}),
  requestId: "1",
  timeout: 0,
  withCredentials: false,
  allowInsecureConnection: true,
  ...more,
});
