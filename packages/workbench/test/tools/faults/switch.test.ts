import { EventEmitter, once } from "node:events";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startFaults, type StackFaults } from "../../../stack/faults-of-stack.ts";
import type { Channel } from "../../../../local-azure/common/channel.ts";
import { faultsFromParent } from "../../../../local-azure/faults/part.ts";

let faults: StackFaults;
beforeEach(async () => void (faults = await startFaults(0)));
afterEach(() => faults.stop());

const call = async (method: string, path: string, body?: unknown) => {
  const answer = await fetch(new URL(path, faults.url), {
    method,
    ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  const read = await answer.text();
  return { status: answer.status, answer: read === "" ? undefined : (JSON.parse(read) as unknown) };
};
const busy = { kind: "busy", seconds: 30 };
const paths = async () => ((await call("GET", "/faults")).answer as { path: string }[]).map(({ path }) => path);

describe("the switch for faults", () => {
  it("sets faults on tables, partitions and queues, lists them and removes them", async () => {
    const requested = [
      "/faults/tables",
      "/faults/tables/Terminals",
      "/faults/tables/Terminals/a%2Fb",
      "/faults/queues/mails",
    ];
    for (const path of requested) {
      expect(await call("PUT", path, busy)).toMatchObject({ status: 200, answer: { path, kind: "busy" } });
    }
    expect(await paths()).toEqual(requested);
    expect(faults.board.list().map(({ target }) => target)).toContainEqual({ table: "Terminals", partition: "a/b" });
    expect(await call("DELETE", "/faults/tables")).toEqual({ status: 204, answer: undefined });
    expect(await paths()).toEqual(requested.slice(1));
    expect(await call("DELETE", "/faults")).toEqual({ status: 204, answer: undefined });
    expect(await paths()).toEqual([]);
  });

  it("shows the end of a fault, and its delay", async () => {
    const { answer } = await call("PUT", "/faults/queues", { kind: "slow", milliseconds: 50, seconds: 30 });
    expect(answer).toMatchObject({ path: "/faults/queues", kind: "slow", milliseconds: 50 });
    expect(Date.parse((answer as { until: string }).until)).toBeGreaterThan(Date.now());
  });

  it("accepts the names of tables and queues in any case", async () => {
    expect((await call("PUT", "/faults/tables/terminals", busy)).answer).toMatchObject({
      path: "/faults/tables/Terminals",
    });
  });

  it.each([
    ["PUT", "/faults/tables/Nowhere", busy, 404, 'There is no table "Nowhere": Terminals, '],
    ["PUT", "/faults/queues/nowhere", busy, 404, 'There is no queue "nowhere": '],
    ["PUT", "/faults/queues/mails/x", busy, 404, "There is no /faults/queues/mails/x"],
    ["PUT", "/faults/tables/Terminals/a/b", busy, 404, "There is no /faults/tables/Terminals/a/b"],
    ["PUT", "/faults/blobs", busy, 404, "There is no /faults/blobs"],
    ["PUT", "/faults/tables?x=1", busy, 404, "There is no /faults/tables?x=1"],
    ["PUT", "/faults/tables/%zz", busy, 400, '"%zz" is not encoded'],
    ["GET", "/", undefined, 404, "There is no /"],
    ["PUT", "/faults", busy, 405, "GET or DELETE /faults."],
    ["POST", "/faults/tables", busy, 405, "PUT or DELETE /faults/tables."],
    ["PUT", "/faults/tables", { kind: "busy" }, 400, "seconds"],
    ["PUT", "/faults/tables", { kind: "busy", seconds: 1e9 }, 400, "seconds"],
    ["PUT", "/faults/tables", { kind: "slow", seconds: 1 }, 400, "milliseconds"],
    ["PUT", "/faults/tables", { kind: "busy", seconds: 1, for: "ever" }, 400, '"for"'],
    ["PUT", "/faults/tables", { kind: "angry", seconds: 1 }, 400, "kind"],
    ["PUT", "/faults/tables", { kind: "full", seconds: 1 }, 400, "Only queues can be full"],
    ["PUT", "/faults/tables", "busy", 400, "The body is no JSON"],
    ["PUT", "/faults/tables", " ".repeat(2_000), 413, "1024 bytes at most"],
  ])("refuses %s %s %j with %i", async (method, path, body, status, words) => {
    const refused = await call(method, path, body);
    expect(refused).toMatchObject({ status, answer: { error: expect.stringContaining(words) as string } });
    expect(await paths()).toEqual([]);
  });

  it("responds only after the affected part has received the fault", async () => {
    const { parent, part } = channel();
    const inPart = faultsFromParent(part);
    await faults.board.serve("tables", parent);
    await call("PUT", "/faults/tables/Terminals", busy);
    expect(inPart.of({ table: "Terminals" })?.kind).toBe("busy");
    await call("DELETE", "/faults/tables/Terminals");
    expect(inPart.of({ table: "Terminals" })).toBeUndefined();
  });

  it("passes the current faults to a part that starts later", async () => {
    await call("PUT", "/faults/queues/mails", busy);
    const { parent, part } = channel();
    const inPart = faultsFromParent(part);
    await faults.board.serve("queues", parent);
    expect(inPart.of({ queue: "mails" })?.kind).toBe("busy");
  });

  it("refuses requests under another host's name, and has no CORS", async () => {
    const requested = httpRequest(faults.url, { method: "DELETE", headers: { host: "elsewhere.example" } }).end();
    const [answer] = (await once(requested, "response")) as [IncomingMessage];
    expect([answer.statusCode, await text(answer)]).toEqual([421, expect.stringContaining("localhost")]);
    const preflight = await fetch(faults.url, {
      method: "OPTIONS",
      headers: { origin: "http://elsewhere.example", "access-control-request-method": "PUT" },
    });
    expect([preflight.status, preflight.headers.get("access-control-allow-origin")]).toEqual([405, null]);
  });
});

/** Two ends of a channel. Each message takes a moment. */
function channel() {
  const end = () => Object.assign(new EventEmitter(), { connected: true, send: (_: object): void => {} });
  const [parent, part] = [end(), end()];
  parent.send = (message) => void setImmediate(() => part.emit("message", message));
  part.send = (message) => void setImmediate(() => parent.emit("message", message));
  return { parent, part } satisfies Record<string, Channel>;
}
