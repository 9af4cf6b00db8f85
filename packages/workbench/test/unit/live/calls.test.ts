import { describe, expect, it } from "vitest";
import { callView, readCall } from "../../../live/calls.ts";

const SESSION = "9d3b6f0a-1c5e-4a67-8f0e-2b7c4d5e6f70";

const passed: Parameters<typeof readCall>[0] = {
  id: "call",
  at: 1_000,
  ms: 31.4,
  api: "partners",
  operation: "pos-payment-request",
  method: "POST",
  path: "/pos-payment-request",
  requestHeaders: [["apikey", "key"]],
  requestBody: JSON.stringify({ sessionID: SESSION.toUpperCase() }),
  status: 202,
  responseHeaders: [["X-Request-Id", "request"]],
  responseBody: JSON.stringify({ sessionID: SESSION }),
};

describe("a call that passed the gateway", () => {
  it("names its session in the stored form, its request and its milliseconds", () => {
    expect(readCall(passed)).toMatchObject({ sessionId: SESSION, requestId: "request", ms: 31, status: 202 });
  });

  it.each([
    ["its path", { path: `/pos-payment/${SESSION}/timeline`, requestBody: "", responseBody: "[]" }],
    ["its response", { requestBody: "", path: "/terminals/next-message", operation: "next-message" }],
  ])("finds the session in %s", (_, more) => {
    expect(readCall({ ...passed, ...more })?.sessionId).toBe(SESSION);
  });

  it("names only the problem of a refusal", () => {
    const responseBody = JSON.stringify({ code: "terminal_busy" });
    expect(readCall({ ...passed, status: 409, responseBody })?.problem).toBe("terminal_busy");
    expect(readCall({ ...passed, responseBody })?.problem).toBeUndefined();
  });

  it("is left out if it is a poll without a message", () => {
    const poll = { ...passed, operation: "next-message", status: 204, responseBody: "" };
    expect(readCall(poll)).toBeUndefined();
    expect(readCall({ ...poll, status: 200 })).toBeDefined();
  });

  it.each(["", "no JSON", "null", '"text"', "[1]", '{"sessionID":7,"code":{}}'])(
    "is shown with the body %j",
    (body) => {
      const read = readCall({ ...passed, status: 400, requestBody: body, responseBody: body });
      expect(read).toMatchObject({ requestBody: body, responseBody: body });
      expect([read?.sessionId, read?.problem]).toEqual([undefined, undefined]);
    },
  );

  it("has the type of a report and the message that it answers", () => {
    const requestBody = JSON.stringify({ type: "accepted", messageID: "message", sessionID: SESSION });
    expect(readCall({ ...passed, api: "terminals", operation: "report", requestBody })).toMatchObject({
      reportType: "accepted",
      messageId: "message",
    });
  });

  it("has a line without headers and bodies", () => {
    const read = readCall(passed);
    expect(read && Object.keys(callView(read)).toSorted()).toEqual([
      "api",
      "at",
      "id",
      "method",
      "ms",
      "operation",
      "path",
      "requestId",
      "sessionId",
      "status",
    ]);
  });
});
