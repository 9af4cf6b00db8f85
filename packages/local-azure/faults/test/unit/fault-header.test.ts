import { createServer } from "node:http";
import { expect, it, onTestFinished } from "vitest";
import { listening } from "../../../common/test/listening.ts";
import { newFaultBoard } from "../../board.ts";
import { withFaultHeader } from "../../fault-header.ts";
import { startFaultSwitch } from "../../switch.ts";

/** A server behind the header. It responds with the names of the headers that it gets. */
async function aServer({ faultSwitch }: { readonly faultSwitch?: string } = {}) {
  const board = newFaultBoard();
  const { url, stop } = await startFaultSwitch({ port: 0, board, names: { tables: [], queues: [] } });
  onTestFinished(stop);
  const server = withFaultHeader(
    ({ headersDistinct }, response) => response.end(Object.keys(headersDistinct).join()),
    faultSwitch ?? url,
  );
  const port = await listening(createServer(server));
  return {
    board,
    ask: (fault: string) => fetch(`http://127.0.0.1:${port}/a?b=c`, { headers: { "X-Sandbox-Fault": fault } }),
  };
}

it.each([
  ["tables=1s", { tables: "all" }, 1],
  ["tables=60s", { tables: "all" }, 60],
  ["queues=10s", { queues: "all" }, 10],
])("%s takes the service away before the request is carried out", async (fault, target, seconds) => {
  const { board, ask } = await aServer();
  const earliest = Date.now() + seconds * 1_000;
  const response = await ask(fault);
  expect([response.status, await response.text()]).toEqual([200, expect.not.stringContaining("sandbox")]);
  expect(board.list()).toMatchObject([{ target, kind: "away" }]);
  const [{ until } = { until: 0 }] = board.list();
  expect(until).toBeGreaterThanOrEqual(earliest);
  expect(until).toBeLessThanOrEqual(Date.now() + seconds * 1_000);
});

it.each(["", "tables", "tables=0s", "tables=61s", "tables=1.5s", "tables=10", "mails=10s", "tables=1s, queues=1s"])(
  "%j is a problem that says which values are right, and nothing is carried out",
  async (fault) => {
    const { board, ask } = await aServer();
    const refused = await ask(fault);
    expect(refused.status).toBe(400);
    expect(await refused.json()).toEqual({
      type: "about:blank",
      title: "The header x-sandbox-fault is wrong",
      status: 400,
      detail: "It must be tables=<seconds>s or queues=<seconds>s, with 1 to 60 seconds, such as tables=10s.",
      instance: "/a",
      code: "invalid_sandbox_fault",
      requestID: refused.headers.get("x-request-id"),
      retryable: false,
    });
    expect(board.list()).toEqual([]);
  },
);

it("a fault that cannot be set is a problem, and the request is not carried out", async () => {
  const { ask } = await aServer({ faultSwitch: "http://127.0.0.1:1/faults" });
  const failed = await ask("tables=1s");
  expect(failed.status).toBe(500);
  expect(await failed.json()).toMatchObject({ code: "internal_error", title: "The fault was not set" });
});
