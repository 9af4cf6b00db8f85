import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, inject, it } from "vitest";
import { partnerFor } from "../support/partner.ts";

const { partner, cancel, capture, onAutopilot, pay, refused, request, send, setStatus, silent, status, until } =
  partnerFor("terminals");
const { pointOfServiceID } = partner.terminals.silent;
// Before each test, because a terminal that has not polled for 45 s counts as offline, and a slow machine takes longer for all tests.
beforeEach(async () => void (await silent.online()));

describe("a terminal's status", () => {
  afterEach(async () => void (await setStatus("available", pointOfServiceID)));

  it.each(["closed", "maintenance", "cleaning", "booked", "occupied"])(
    "(%s) is shown, and payments are refused until it is available again",
    async (statusCode) => {
      const before = await status(pointOfServiceID);
      const set = await setStatus(statusCode, pointOfServiceID);
      const shown = { pointOfServiceID, statusCode, online: true, canAcceptPayment: false, reason: statusCode };
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
      const body = request();
      expect(await pay(body)).toMatchObject({ status: 202 });
      await cancel(body);
    },
  );

  it.each(["busy", "offline", "broken", ""])("(%j) cannot be set", async (statusCode) => {
    const answer = await refused("PATCH", "/set-pos-status", { statusCode, pointOfServiceID });
    expect(answer).toMatchObject({
      status: 422,
      body: { code: "validation_failed", errors: [{ field: "statusCode" }] },
    });
    expect(await status(pointOfServiceID)).toMatchObject({ statusCode: "available" });
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
    for (const { pointOfServiceID } of Object.values(partner.terminals))
      expect(await status(pointOfServiceID)).toMatchObject({ statusCode: "available" });
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

  it("ends the terminal's earlier fetches, which it no longer waits for", async () => {
    // The order is random, because each request has a connection of its own. So any of them may be the newest.
    const ended: number[] = [];
    const fetches = Array.from({ length: 21 }, async () => ended.push((await next("?wait=55")).status));
    await expect.poll(() => ended, { timeout: 20_000 }).toEqual(Array.from({ length: 20 }, () => 204));
    await next(""); // ends the newest poll
    await Promise.all(fetches);
  });
});

describe("a terminal that falls silent", () => {
  it.concurrent("becomes offline, gets no payments, and is online again at its next fetch", async () => {
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

  it.concurrent("during a payment gets a status query after its restart", async () => {
    const { pay, request, silent, until } = partnerFor("terminals, restarted");
    await silent.online();
    const body = request();
    await pay(body);
    await silent.begin(body.sessionID);
    const started = { reportID: randomUUID(), type: "started", memory: "kept" };
    expect([await silent.client.report(started), await silent.client.report(started)]).toEqual([200, 200]);
    const query = await silent.next();
    expect(query).toMatchObject({ type: "statusQuery", sessionID: body.sessionID });
    await silent.sendReport(query, "cancelled");
    expect(await until(body.sessionID, "cancelled")).toMatchObject({ statusReason: "cancelledByCustomer" });
    expect(await silent.client.next(0)).toBeUndefined(); // reported twice, but queried once
  });

  it.concurrent("after fetching a message gets it again until it answers, and only then the session's next one", async () => {
    const { discount, pay, request, silent, until } = partnerFor("terminals, leased");
    await silent.online();
    const body = request();
    await pay(body);
    const message = await silent.next();
    expect(await discount({ sessionID: body.sessionID, discountAmount: 5 })).toMatchObject({ status: 202 });
    expect(await silent.client.next(0)).toBeUndefined(); // the payment is leased, and the discount waits behind it
    const again = await silent.next();
    expect(again).toMatchObject({ messageID: message.messageID, type: "payment" });
    expect(again.expiresInMs).toBeLessThan(message.expiresInMs);
    await silent.sendReport(again, "accepted");
    const next = await silent.next();
    expect(next).toMatchObject({ type: "discount", sessionID: body.sessionID });
    await silent.sendReport(next, "discountRefused");
    await silent.sendReport(message, "declined");
    await until(body.sessionID, "declined");
    expect(await silent.client.next(2)).toBeUndefined(); // twice as long as a lease
  });

  it.concurrent("after fetching a payment that is then cancelled gets the cancel, and the payment never again", async () => {
    const { cancel, pay, request, silent, until } = partnerFor("terminals, called off");
    await silent.online();
    const body = request();
    await pay(body);
    await silent.next(); // its answer is lost
    await cancel(body);
    const next = await silent.next();
    expect(next).toMatchObject({ type: "cancel", sessionID: body.sessionID });
    await silent.sendReport(next, "notStarted");
    await until(body.sessionID, "cancelled");
    expect(await silent.client.next(2)).toBeUndefined(); // twice as long as a lease
  });

  it.concurrent("gets a lost message again at once when it names the last one that arrived", async () => {
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

  it.concurrent("without naming messages does not get the same ones forever", async () => {
    const { capture, pay, request, silent, until } = partnerFor("terminals, nameless");
    await silent.online();
    const body = request();
    await pay(body);
    const nameless = { messageID: undefined };
    const message = await silent.next();
    await silent.sendReport(message, "accepted", nameless);
    await silent.sendReport(message, "authorized", { messageID: randomUUID() });
    await until(body.sessionID, "authorized");
    await capture(body);
    const next = await silent.next();
    expect(next).toMatchObject({ type: "capture" });
    await silent.sendReport(next, "captured", nameless);
    await until(body.sessionID, "captured");
    expect(await silent.client.next(2)).toBeUndefined(); // longer than a lease
  });

  it.concurrent("with two sessions gets the earlier session's message first, whichever was sent first", async () => {
    const { capture, pay, request, silent, until } = partnerFor("terminals, in order");
    await silent.online();
    const [earlier, later] = [request(), request()];
    await pay(earlier);
    await silent.approve(earlier.sessionID);
    await pay(later);
    await silent.reach("payment", later.sessionID);
    await capture(earlier);
    await silent.reach("capture", earlier.sessionID);
    await until(later.sessionID, "reconciling"); // by now no message is leased
    expect(await silent.next()).toMatchObject({ type: "capture", sessionID: earlier.sessionID });
    expect(await silent.next()).toMatchObject({ type: "statusQuery", sessionID: later.sessionID });
  });
});

describe("a terminal's report", () => {
  it("is refused for a session on another terminal", async () => {
    const body = onAutopilot();
    await pay(body);
    await until(body.sessionID, "authorized");
    const charge = { chargeID: randomUUID(), amount: 125.5, currency: "SEK" };
    const answered = { sessionID: body.sessionID, messageID: randomUUID() };
    expect(await silent.sendReport(answered, "captured", charge)).toBe(404);
    await until(body.sessionID, "authorized");
  });
});
