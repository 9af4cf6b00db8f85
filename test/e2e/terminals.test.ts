import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, inject, it } from "vitest";
import type { PointOfServiceList } from "../../clients/partners/schema.ts";
import { partnerFor } from "../support/partner.ts";

const { partner, capture, pay, refused, request, send, setStatus, silent, status, until } = partnerFor("terminals");
const { pointOfServiceID } = partner.terminals.silent;
// Before each test, because a terminal that has not polled for 45 s counts as offline, and a slow machine takes longer for all tests.
beforeEach(async () => void (await silent.online()));

describe("a terminal's status", () => {
  afterEach(async () => void (await setStatus("available", pointOfServiceID)));

  it("is shown, and payments are refused until it is available again", async () => {
    const before = await status(pointOfServiceID);
    const set = await setStatus("closed", pointOfServiceID);
    const shown = { pointOfServiceID, statusCode: "closed", online: true, canAcceptPayment: false, reason: "closed" };
    expect(set).toMatchObject({ status: 200, body: shown });
    expect(Date.parse(set.body.updatedAt)).toBeGreaterThan(Date.parse(before.updatedAt));
    expect(await status(pointOfServiceID)).toMatchObject(shown);
    expect(await pay(request())).toMatchObject({
      status: 409,
      body: { code: "terminal_unavailable", retryable: true },
    });
    expect(await setStatus("available", pointOfServiceID)).toMatchObject({
      status: 200,
      body: { statusCode: "available", canAcceptPayment: true },
    });
  });

  it.each(["busy", "offline", "broken", ""])("(%j) cannot be set", async (statusCode) => {
    expect(await refused("PATCH", "/set-pos-status", { statusCode, pointOfServiceID })).toMatchObject({
      status: 422,
      body: { code: "validation_failed", errors: [{ field: "statusCode" }] },
    });
  });

  it("can be set with the terminal in the query; a terminal in the body takes precedence", async () => {
    const query = `/set-pos-status?pointOfServiceID=${pointOfServiceID}`;
    expect(await send("PATCH", query, { statusCode: "cleaning" })).toMatchObject({
      status: 200,
      body: { pointOfServiceID, statusCode: "cleaning" },
    });
    const other = partner.terminals.autopilot.pointOfServiceID;
    const both = `/set-pos-status?pointOfServiceID=${other}`;
    expect(await send("PATCH", both, { statusCode: "booked", pointOfServiceID })).toMatchObject({
      status: 200,
      body: { pointOfServiceID, statusCode: "booked" },
    });
    expect(await status(other)).toMatchObject({ statusCode: "available" });
  });

  it("needs a named terminal when the key reaches several terminals", async () => {
    expect(await send("PATCH", "/set-pos-status", { statusCode: "closed" })).toMatchObject({
      status: 422,
      body: { code: "target_required" },
    });
  });

  it("lets a running payment finish when it is set, and refuses the next one", async () => {
    const body = request();
    await pay(body);
    const message = await silent.begin(body.sessionID);
    expect(await status(pointOfServiceID)).toMatchObject({
      statusCode: "busy",
      canAcceptPayment: false,
      activeSessionID: body.sessionID,
    });
    expect(await setStatus("closed", pointOfServiceID)).toMatchObject({
      status: 200,
      body: { statusCode: "closed", activeSessionID: body.sessionID },
    });
    expect(await pay(request())).toMatchObject({ status: 409, body: { code: "terminal_unavailable" } });

    await silent.sendReport(message, "authorized");
    await until(body.sessionID, "authorized");
    expect((await status(pointOfServiceID)).activeSessionID).toBeUndefined();
    expect(await capture(body)).toMatchObject({ status: 202 });
    await silent.sendReport(await silent.reach("capture", body.sessionID), "captured");
    await until(body.sessionID, "captured");
  });
});

describe("a list of terminals", () => {
  it("shows what a terminal says of its device until its next start, and its battery with each poll", async () => {
    const { terminalKey } = partner.terminals.silent;
    const listed = async (): Promise<Readonly<Record<string, unknown>> | undefined> => {
      const { status, body } = await send<PointOfServiceList>("GET", "/pointOfServices?limit=100");
      expect(status).toBe(200);
      return body.pointOfServices.find((one) => one.pointOfServiceID === pointOfServiceID);
    };
    const { report } = silent.client;
    const start = () => ({ reportID: randomUUID(), type: "started", memory: "kept" });
    const device = { maker: "Alpenpos", model: "K9".repeat(40), serialNumber: "K9-1", network: "wifi" };
    expect(await report({ ...start(), device, can: ["tips"] })).toBe(200);
    const poll = (battery: string) =>
      fetch(`${inject("stack").terminalsUrl}/next-message?battery=${battery}`, {
        headers: { "x-terminal-key": terminalKey },
      });
    expect((await poll("none")).ok).toBe(true);
    expect(await listed()).toMatchObject({
      ...(await status(pointOfServiceID)),
      merchantID: partner.merchantID,
      device: { ...device, model: "K9".repeat(32) },
      can: ["tips"],
    });
    expect(await report(start())).toBe(200);
    const cleared = await listed();
    expect(cleared).toMatchObject({ can: [] });
    expect(cleared).not.toHaveProperty("device");
  });

  it.each([
    ["limit=0", "limit"],
    ["limit=101", "limit"],
    ["after=last", "after"],
    ["merchantID=m", "merchantID"],
    ["statusCode=broken", "statusCode"],
  ])("(%s) is refused", async (query, field) => {
    expect(await refused("GET", `/pointOfServices?${query}`)).toMatchObject({
      status: 422,
      body: { code: "validation_failed", errors: [{ field }] },
    });
  });
});

describe("an unknown terminal", () => {
  it.each([
    ["an unknown identifier", randomUUID(), true],
    ["a nonsense", "nonsense", false],
    ["many letters beyond ASCII", "ö".repeat(60), false],
  ])(
    "(%s) is 404 for a read, and also for a change unless its name is not an identifier",
    async (_, id, looksLikeOne) => {
      const missing = { status: 404, body: { code: "terminal_not_found" } };
      const escaped = encodeURIComponent(id);
      const noPath = { status: 404, body: { code: "not_found" } }; // our paths contain no percent sign
      const read = await refused("GET", `/pointOfServices/${escaped}/pos-status`);
      expect(read).toMatchObject(escaped === id ? missing : noPath);
      const query = `/set-pos-status?pointOfServiceID=${escaped}`;
      const wrong = { status: 422, body: { code: "validation_failed", errors: [{ field: "pointOfServiceID" }] } };
      const expected = looksLikeOne ? missing : wrong;
      expect(await refused("PATCH", query, { statusCode: "closed" })).toMatchObject(expected);
      expect(await refused("PATCH", "/set-pos-status", { statusCode: "closed", pointOfServiceID: id })).toMatchObject(
        expected,
      );
    },
  );

  it("(an empty name in the query) is refused as one", async () => {
    expect(await refused("PATCH", "/set-pos-status?pointOfServiceID=", { statusCode: "closed" })).toMatchObject({
      status: 422,
      body: { code: "validation_failed", errors: [{ field: "pointOfServiceID", code: "required" }] },
    });
  });
});

describe("a terminal's fetch of its next message", () => {
  const { terminalKey } = partner.terminals.silent;
  const next = (query: string) =>
    fetch(`${inject("stack").terminalsUrl}/next-message${query}`, { headers: { "x-terminal-key": terminalKey } });

  it("accepts a wait of up to 55 seconds and the last message that arrived; anything else is 422", async () => {
    for (const query of ["", "?wait=", "?wait=0", "?wait=0.1"]) expect((await next(query)).ok).toBe(true);
    expect((await next(`?received=${randomUUID()}`)).ok).toBe(true);
    const misnamed = await next("?received=last");
    expect(misnamed.status).toBe(422);
    expect(await misnamed.json()).toMatchObject({ code: "validation_failed", errors: [{ field: "received" }] });
    for (const wait of ["55.1", "-1", "soon"]) {
      const answer = await next(`?wait=${wait}`);
      expect(answer.status).toBe(422);
      expect(await answer.json()).toMatchObject({ code: "validation_failed", errors: [{ field: "wait" }] });
    }
  });
});

describe("a terminal that falls silent", () => {
  it("becomes offline, gets no payments, and is online again at its next fetch", async () => {
    const { partner, cancel, pay, request, setStatus, silent, status } = partnerFor("terminals, offline");
    const { pointOfServiceID } = partner.terminals.silent;
    const offline = { status: 409, body: { code: "terminal_offline", retryable: true } };
    expect(await pay(request())).toMatchObject(offline); // the terminal has never polled
    await silent.online();
    const body = request();
    expect(await pay(body)).toMatchObject({ status: 202 });
    await cancel(body);

    await setStatus("closed", pointOfServiceID);
    await expect
      .poll(() => status(pointOfServiceID), { timeout: 20_000, interval: 250 })
      .toMatchObject({ statusCode: "offline", online: false, canAcceptPayment: false, reason: "offline" });
    await setStatus("available", pointOfServiceID);
    expect(await pay(request())).toMatchObject(offline);
    await silent.online();
    expect(await status(pointOfServiceID)).toMatchObject({ statusCode: "available", online: true });
  });

  it("gets a lost message again at once when it names the last one that arrived", async () => {
    const { pay, request, silent, until } = partnerFor("terminals, lost answers");
    await silent.online();
    const earlier = request();
    await pay(earlier);
    const { messageID: received } = await silent.approve(earlier.sessionID);
    await until(earlier.sessionID, "authorized");
    const body = request();
    await pay(body);
    const lost = await silent.next();
    const next = await silent.client.next(0, { received });
    expect(next).toMatchObject({ messageID: lost.messageID, type: "payment", sessionID: body.sessionID });
    expect(await silent.client.next(0, { received: lost.messageID })).toBeUndefined();
    await silent.sendReport(lost, "declined");
  });
});
