import { setImmediate as turn } from "node:timers/promises";
import { inspect } from "node:util";
import { InvocationContext } from "@azure/functions";
import { describe, expect, it } from "vitest";
import { demoNames } from "../../../packages/workbench/logs/demo-names.ts";
import { liveLog } from "../../../packages/workbench/logs/live-log.ts";
import { fixedPartner } from "../../../packages/workbench/stack/fixed-keys.ts";
import { jsonLog } from "../../../shared/adapters/log/json-log.ts";
import { Unavailable } from "../../../shared/ports/failures.ts";
import type { LineOf } from "../../../shared/ports/log.ts";
import { loggedError } from "../../../shared/ports/logged-error.ts";
import { withShownErrors } from "../../../shared/adapters/queues/shown-errors.ts";

/** A log, and the lines of its two outputs: the process's own, and that of an invocation. */
function aLog() {
  const written: { readonly to: string; readonly level: string; readonly line: string }[] = [];
  const output = (to: string) => ({
    info: (line: string) => void written.push({ to, level: "info", line }),
    warn: (line: string) => void written.push({ to, level: "warn", line }),
    error: (line: string) => void written.push({ to, level: "error", line }),
  });
  const log = jsonLog({ now: () => "2026-11-21T10:00:00.000Z", version: "1.2.3", output: output("process") });
  const read = () => written.map(({ line }) => JSON.parse(line) as Record<string, unknown>);
  return { log, written, read, invocation: output("invocation") };
}

describe("a line", () => {
  it("has its event, level and time first, and drops every member that its event does not have", () => {
    const { log, written } = aLog();
    const sent = { ms: 4, status: 202, body: "card 4242424242424242", alert: "deadLetter" } as LineOf<"request">;
    log.write("request", sent);
    expect(written.map(({ line }) => line)).toEqual([
      '{"event":"request","time":"2026-11-21T10:00:00.000Z","status":202,"ms":4,"version":"1.2.3"}',
    ]);
  });

  it.each([["anna@example.com"], ['{"apikey":"x"}'], ["two\nlines"], ["x".repeat(201)], [{ a: 1 }], [Number.NaN]])(
    "withholds a value that is neither a name nor a number: %j",
    (code) => {
      const { log, read } = aLog();
      log.write("request", { code } as unknown as LineOf<"request">);
      expect(read()).toMatchObject([{ code: "(withheld)" }]);
    },
  );

  it("goes to the output of its level", () => {
    const { log, written } = aLog();
    log.write("request", {});
    log.write("backOff", {});
    log.write("alertRaised", {});
    expect(written.map(({ level }) => level)).toEqual(["info", "warn", "error"]);
  });
});

describe("the lines of a request", () => {
  it("have its identifiers at any depth, and not those of a concurrent request", async () => {
    const { log, read, invocation, written } = aLog();
    const request = (requestID: string) =>
      log.within({ requestID }, invocation, async () => {
        await turn();
        log.note({ session: `of ${requestID}` });
        await turn();
        log.write("request", {});
      });
    await Promise.all([request("one"), request("two")]);
    log.write("request", {});
    expect(read().map(({ requestID, session }) => [requestID, session])).toEqual([
      ["one", "of one"],
      ["two", "of two"],
      [undefined, undefined],
    ]);
    expect(written.map(({ to }) => to)).toEqual(["invocation", "invocation", "process"]);
  });

  it("go to the log of the process once it has ended, and still name it", async () => {
    const { log, read, invocation, written } = aLog();
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    let late = Promise.resolve();
    await log.within({ requestID: "one" }, invocation, async () => {
      late = ended.then(() => log.write("slowCommit", { ms: 5_000 }));
    });
    resolve();
    await late;
    expect(written.map(({ to }) => to)).toEqual(["process"]);
    expect(read()).toMatchObject([{ requestID: "one", ms: 5_000 }]);
  });

  it("add their identifiers to no line of the process", async () => {
    const { log, read, invocation, written } = aLog();
    await log.within({ requestID: "one" }, invocation, async () => log.write("bellsImpaired", { tries: 1 }));
    expect(read()).toEqual([expect.not.objectContaining({ requestID: "one" })]);
    expect(written.map(({ to }) => to)).toEqual(["process"]);
  });
});

describe("an error", () => {
  it("of the platform itself shows its message, and any other its name, code and stack", () => {
    expect(loggedError(new Unavailable("Table Storage: 503 ServerBusy"))).toEqual({
      error: "Unavailable: Table Storage: 503 ServerBusy",
    });
    const error = Object.assign(new TypeError("no mailbox anna@example.com\n    at shared/x.ts:1:1"), { code: "E_NO" });
    error.stack = `${error.name}: ${error.message}\n    at read (/srv/app/shared/stores/record.ts:47:17)\n    at node:internal/x:1:2`;
    expect(loggedError(error)).toEqual({ error: "TypeError E_NO", stack: ["shared/stores/record.ts:47:17"] });
    expect(loggedError("anna@example.com")).toEqual({ error: "string" });
  });

  it("that a worker throws reaches the host as the log shows it", async () => {
    const read = async (cause: unknown) => {
      const worker = withShownErrors(async () => {
        throw cause;
      });
      const shown: unknown = await Promise.resolve(worker({}, new InvocationContext())).catch((one: unknown) => one);
      if (!(shown instanceof Error)) throw new Error("no error was thrown");
      return { name: shown.name, message: shown.message, text: inspect(shown) };
    };
    const cause = new Error("card 4242424242424242");
    const error = Object.assign(new TypeError("no mailbox anna@example.com", { cause }), { code: "E_NO" });
    const shown = await read(error);
    expect(shown).toMatchObject({ name: "TypeError", message: "TypeError E_NO" });
    expect(shown.text).not.toMatch(/anna|4242/);
    expect(await read("anna@example.com")).toMatchObject({ name: "Error", message: "string" });
    const away = new Unavailable("Table Storage: ServerBusy", { cause });
    expect(await read(away)).toMatchObject({ name: "Unavailable", message: "Unavailable: Table Storage: ServerBusy" });
    expect((await read(away)).text).not.toContain("4242");
  });
});

describe("the live view", () => {
  const line =
    'information report {"event":"request","time":"2026-11-21T10:00:00.000Z","requestID":"11111111-0000-4000-8000-000000000001","function":"report","partner":"22222222-0000-4000-8000-000000000002","status":200,"ms":4,"version":"1"}';

  it("shows a log line in one line, and nothing else of the host", () => {
    const textOf = liveLog({ isColoured: false, isFull: true });
    expect([line, "warning host the broker is away", 'information x {"event":not JSON}'].map(textOf)).toEqual([
      "10:00:00.000  request          report  200  4 ms  requestID=11111111-0000-4000-8000-000000000001 partner=…00000002",
      undefined,
      undefined,
    ]);
  });

  it("names the demo's partner and terminals", () => {
    const { partnerID, terminals } = fixedPartner;
    const names = demoNames({ demo: fixedPartner });
    const { log, written } = aLog();
    log.write("request", { partner: partnerID, terminal: terminals.silent.pointOfServiceID });
    expect(liveLog({ isColoured: false, isFull: true, names })(written[0]?.line ?? "")).toMatch(
      /partner=demo terminal=silent$/,
    );
  });

  it("shows a webhook's identifier in full, as in its header", () => {
    const eventID = "33333333-0000-4000-8000-000000000003_2";
    const { log, written } = aLog();
    log.write("webhookAttempt", { eventID, effect: "2.0", attempt: 1 });
    expect(liveLog({ isColoured: false, isFull: true })(written[0]?.line ?? "")).toContain(`eventID=${eventID} `);
  });

  it("is coloured if colours are allowed", () => {
    expect(liveLog({ isColoured: true })(line)).toContain("\u001B[");
  });

  it("shows the steps of payments, each failure in full, and counts the reads that repeat", () => {
    const session = "44444444-0000-4000-8000-000000000004";
    const partner = "22222222-0000-4000-8000-000000000002";
    const { log, written } = aLog();
    const request = (name: string, status: number) =>
      log.write("request", { function: name, partner, session, status, ms: 1 });
    request("pos-payment-request", 202);
    log.write("worker", { function: "terminal-messages", session, outcome: "done" });
    for (let poll = 0; poll < 3; poll++) request("pos-payment", 200);
    request("next-message", 200);
    request("next-message", 200);
    log.write("webhookAttempt", { session, effect: "webhook~payment.captured", outcome: "delivered", status: 200 });
    const failing = { session, partner, eventID: `${session}_3`, effect: "webhook~payment.captured", attempt: 1 };
    log.write("webhookAttempt", { ...failing, outcome: "status", status: 500, ms: 3, dueMs: 5_179 });
    log.write("webhookAttempt", { ...failing, outcome: "connection", dueMs: 125_000 });
    log.write("webhookAttempt", { ...failing, outcome: "gone", status: 410 });
    log.write("webhookGivenUp", { ...failing, outcome: "gone", status: 410 });
    request("pos-payment", 503);
    log.write("request", { function: "get-landing-page", status: 404, code: "landing_page_not_found" });
    log.write("backOff", { session, partner, reason: "ServerBusy" });
    const textOf = liveLog({ isColoured: false });
    const shown = written.flatMap(({ line }) => textOf(line) ?? []).map((text) => text.slice("10:00:00.000  ".length));
    const of = `session=${session}`;
    expect(shown).toEqual([
      `request          pos-payment-request  202  1 ms  ${of}`,
      `request          pos-payment  200  1 ms  ${of}`,
      `request          next-message  200  1 ms  ${of} repeatedReads=2`,
      `request          next-message  200  1 ms  ${of}`,
      `webhookAttempt   payment.captured  200  ${of} outcome=delivered`,
      `webhookAttempt   payment.captured  500  3 ms  ${of} attempt=1  failed; the next attempt follows in 5 s`,
      `webhookAttempt   payment.captured  ${of} attempt=1 outcome=connection  failed; the next attempt follows in 2 min 5 s`,
      `webhookAttempt   payment.captured  410  ${of} attempt=1 outcome=gone  failed; there is no further attempt`,
      `webhookGivenUp   payment.captured  410  partner=…00000002 ${of} eventID=${session}_3 effect=webhook~payment.captured attempt=1 outcome=gone`,
      `request          pos-payment  503  1 ms  partner=…00000002 ${of}`,
      "request          get-landing-page  404  code=landing_page_not_found  usual before a voucher or key is requested on this page",
      `backOff          partner=…00000002 ${of} reason=ServerBusy`,
    ]);
  });
});
