import { HttpRequest, type HttpRequestInit } from "@azure/functions";
import { describe, expect, it } from "vitest";
import { readingHeaders, type ProgrammingModel } from "../../../shared/edge/http/readable-headers.ts";

type Invocation = Parameters<ProgrammingModel["getInvocationModel"]>[0];

/** A call as the worker hands it over. Kestrel lets in such headers, as bytes of UTF-8. */
const called = (headers: Readonly<Record<string, string>>): Invocation => {
  const nullableHeaders = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, { value }]));
  const http = { method: "POST", url: "https://localhost/report", nullableHeaders, body: { string: "{}" } };
  return { request: { inputData: [{ data: { http } }] } };
};

/** Microsoft's library, as far as it makes a request of a call. It does so before any hook or function. */
const library: ProgrammingModel = {
  name: "@azure/functions",
  version: "4",
  getInvocationModel: ({ request }) => new HttpRequest(request.inputData?.[0]?.data?.http as HttpRequestInit),
  getCapabilities: async (own) => ({ ...own, HttpUri: "http://localhost" }),
};

const headersRead = (headers: Readonly<Record<string, string>>) => {
  const request = readingHeaders(library).getInvocationModel(called(headers));
  return Object.fromEntries((request as HttpRequest).headers);
};

describe("a request with a header", () => {
  it.each([
    ["beyond Latin-1", { "x-city": "Łódź" }, { "x-city": "?" }],
    ["beyond the basic plane", { "x-city": "Paris 😀" }, { "x-city": "?" }],
    ["of a replacement character", { "x-city": "S\ufffdo Paulo" }, { "x-city": "?" }],
    ["of a line separator", { "x-city": "a\u2028b" }, { "x-city": "?" }],
    ["whose name is not a token", { "x(city)": "1", "x city": "1", "": "1", x: "1" }, { x: "1" }],
    ["that is the terminal's own key", { "x-terminal-key": "tk_Ł" }, { "x-terminal-key": "?" }],
    ["that is its content type", { "content-type": "application/jsoń" }, { "content-type": "?" }],
  ])("%s stops Microsoft's library, and reaches the function without it", (_, sent, read) => {
    expect(() => library.getInvocationModel(called(sent))).toThrow(TypeError);
    expect(headersRead(sent)).toMatchObject(read);
    expect(Object.keys(headersRead(sent)).toSorted()).toEqual(Object.keys({ "content-type": "", ...read }).toSorted());
  });

  it("that the library reads keeps it, with Latin-1 and a tab too", () => {
    const sent = { "x-city": "Orléans\tß", traceparent: "00-bad", "x-empty": "", "content-type": "application/json" };
    expect(headersRead(sent)).toEqual(sent);
  });
});

describe("the library", () => {
  const own = readingHeaders(library);

  it("keeps its name, its version and its capabilities", async () => {
    expect([own.name, own.version]).toEqual([library.name, library.version]);
    expect(await own.getCapabilities?.({ a: "1" })).toEqual({ a: "1", HttpUri: "http://localhost" });
    const without = readingHeaders({ name: "", version: "", getInvocationModel: () => undefined });
    expect(await without.getCapabilities?.({ a: "1" })).toEqual({ a: "1" });
  });

  it("gets the worker's own object, which the worker changes later, and messages of queues unchanged", () => {
    const given: unknown[] = [];
    const noting = readingHeaders({ ...library, getInvocationModel: (call) => given.push(call) });
    const calls: readonly Invocation[] = [
      called({ "x-city": "Łódź" }),
      { request: { inputData: [{ data: {} }, { data: null }] } },
      { request: { inputData: null } },
    ];
    for (const call of calls) noting.getInvocationModel(call);
    expect(given.every((call, n) => call === calls[n])).toBe(true);
  });
});
