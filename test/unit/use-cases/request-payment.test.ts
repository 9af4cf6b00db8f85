import { describe, expect, it } from "vitest";
import { requestPayment } from "../../../shared/use-cases/payments/request-payment.ts";
import type { PaymentRequest } from "../../../shared/domain/payment/requests/create-payment.ts";
import { callOf } from "../../support/calls.ts";
import {
  aPlatform,
  aRequest,
  aTerminal,
  caller,
  partnerId,
  terminalId,
  type Platform,
  callBy,
} from "../../support/platform.ts";

const stored = ({ deps }: Platform, request: PaymentRequest) => deps.payments.find({ partnerId, ...request });

describe("a payment request", () => {
  it("is pending, and its message reaches the terminal once the worker has seen the commit", async () => {
    const platform = await aPlatform();
    const request = aRequest();

    const requested = await requestPayment(platform.deps, callBy(platform.deps), request);
    expect(requested).toMatchObject({
      ok: true,
      value: { replayed: false, payment: { status: "pending", sequence: 1 } },
    });
    expect(await platform.deps.inboxes.unanswered(terminalId)).toEqual([]);

    await platform.pass();
    expect(await platform.deps.inboxes.unanswered(terminalId)).toMatchObject([
      { state: "waiting", message: { type: "payment", amount: 12_550, currency: "SEK" } },
    ]);
    expect((await platform.deps.terminals.find(terminalId))?.claim?.sessionId).toBe(request.sessionId);
  });

  it("is three round trips deep and at most seven port calls", async () => {
    const platform = await aPlatform();
    const calls: { name: string; round: number }[] = [];
    let round = 0;
    let pending = 0;
    const counted = <T extends object>(port: T): T =>
      Object.fromEntries(
        Object.entries(port).map(([name, method]: [string, unknown]) => [
          name,
          async (...given: unknown[]) => {
            if (pending === 0) round++;
            pending++;
            calls.push({ name, round });
            await new Promise((resolve) => setImmediate(resolve)); // like a network, which responds in a later turn
            try {
              return await (method as (...args: unknown[]) => Promise<unknown>)(...given);
            } finally {
              pending--;
            }
          },
        ]),
      ) as T;
    const { payments, commands, terminals, orders, announcements, listings, sessions } = platform.deps;
    const deps = {
      ...platform.deps,
      payments: counted(payments),
      commands: counted(commands),
      terminals: counted(terminals),
      orders: counted(orders),
      announcements: counted(announcements),
      listings: counted(listings),
      sessions: counted(sessions),
    };

    const requested = await requestPayment(deps, callBy(deps), aRequest({ references: { orderId: "order 1" } }));

    expect(requested.ok).toBe(true);
    expect(calls.map((call) => `${call.round} ${call.name}`)).toEqual([
      "1 find",
      "1 find",
      "2 enter",
      "2 enter",
      "2 send",
      "2 send",
      "3 commit",
    ]);
  });

  it("gets the payment's present state when it is repeated, in another case", async () => {
    const platform = await aPlatform();
    const request = aRequest();
    await requestPayment(platform.deps, callBy(platform.deps), request);
    await platform.deps.terminals.save(
      aTerminal({ status: "closed" }),
      (await platform.deps.terminals.find(terminalId))?.etag,
    );

    const again = await requestPayment(platform.deps, callBy(platform.deps), request);

    expect(again).toMatchObject({ ok: true, value: { replayed: true, payment: { sequence: 1 } } });
    expect(platform.queued).toHaveLength(2);
  });

  it.each([
    ["amount", { amount: 100 }],
    ["VAT", { vat: 1 }],
    ["currency", { currency: "EUR" }],
    ["capture mode", { captureMode: "automatic" as const }],
    ["order", { references: { orderId: "another" } }],
  ])("conflicts with its session when the %s differs", async (_, change) => {
    const platform = await aPlatform();
    const request = aRequest();
    await requestPayment(platform.deps, callBy(platform.deps), request);

    const again = await requestPayment(platform.deps, callBy(platform.deps), { ...request, ...change });

    expect(again).toMatchObject({ ok: false, error: { code: "session_conflict" } });
  });

  it("is refused when its session was cancelled before", async () => {
    const platform = await aPlatform();
    const request = aRequest();
    await platform.deps.payments.leaveTombstone({ partnerId, ...request });

    const requested = await requestPayment(platform.deps, callBy(platform.deps), request);

    expect(requested).toMatchObject({ ok: false, error: { code: "session_conflict" } });
  });

  it.each([
    ["an unknown terminal", { request: { terminalId: "cccccccc-0000-4000-8000-00000000dead" } }, "terminal_not_found"],
    ["another partner's terminal", { terminal: { partnerId: "somebody else" } }, "terminal_not_found"],
    ["another merchant's terminal", { terminal: { merchantId: "another" } }, "merchant_mismatch", "another."],
    ["a closed terminal", { terminal: { status: "closed" as const } }, "terminal_unavailable"],
    ["a terminal that is silent", { silentFor: 46 }, "terminal_offline"],
    ["a terminal beyond the key's reach", { reach: [] }, "terminal_not_found"],
  ])("for %s is refused, and nothing is written or enqueued", async (_, given, code, told = "") => {
    const platform = await aPlatform();
    const { request, terminal, silentFor, reach } = {
      request: {},
      terminal: {},
      silentFor: 0,
      reach: undefined,
      ...given,
    };
    await platform.deps.terminals.save(aTerminal(terminal), (await platform.deps.terminals.find(terminalId))?.etag);
    await platform.pass(silentFor);
    const input = aRequest(request);

    const requested = await requestPayment(
      platform.deps,
      callOf(platform.deps, { ...caller, terminalIds: reach }),
      input,
    );

    expect(requested).toMatchObject({ ok: false, error: { code } });
    expect(JSON.stringify(requested)).toContain(told);
    expect(await stored(platform, input)).toBeUndefined();
    expect(platform.queued).toEqual([]);
  });
});

describe("two payments for one terminal", () => {
  it("are refused one after the other: the terminal is busy with the first, which only its own partner learns", async () => {
    const platform = await aPlatform();
    const first = aRequest();
    await requestPayment(platform.deps, callBy(platform.deps), first);
    await platform.pass();
    const busy = { code: "terminal_busy", retryAfterSeconds: 5 };

    const second = await requestPayment(platform.deps, callBy(platform.deps), aRequest());

    expect(second).toEqual({ ok: false, error: { ...busy, sessionId: first.asReceived.sessionId } });
    const partnerId = "dddddddd-0000-4000-8000-000000000001";
    await platform.deps.terminals.save(
      aTerminal({ partnerId }),
      (await platform.deps.terminals.find(terminalId))?.etag,
    );
    const others = callOf(platform.deps, { ...caller, partnerId });
    expect(await requestPayment(platform.deps, others, aRequest())).toEqual({ ok: false, error: busy });
  });

  it("that both pass the early check: one gets the terminal, the other fails with a webhook without reaching it", async () => {
    const platform = await aPlatform();
    const [first, second] = [aRequest(), aRequest()];
    await requestPayment(platform.deps, callBy(platform.deps), first);
    await requestPayment(platform.deps, callBy(platform.deps), second);

    await platform.pass();

    expect(await stored(platform, first)).toMatchObject({ payment: { status: "pending" } });
    expect(await stored(platform, second)).toMatchObject({
      payment: { status: "failed", statusReason: "terminalBusy" },
    });
    expect((await platform.deps.inboxes.unanswered(terminalId)).filter((row) => row.state === "waiting")).toHaveLength(
      1,
    );
    expect(platform.webhooksSent.map((sent) => JSON.parse(sent.body) as { type: string })).toMatchObject([
      { type: "payment.failed" },
    ]);
  });
});

describe("the duplicate check", () => {
  const references = { orderId: "table 7" };

  it("refuses the same order and amount while another of its sessions is living, naming it", async () => {
    const platform = await aPlatform();
    const other = "cccccccc-0000-4000-8000-000000000002";
    await platform.deps.terminals.save(aTerminal({ terminalId: other }), undefined);
    await platform.deps.terminals.seen(other, platform.deps.clock.now());
    const first = aRequest({ references });
    await requestPayment(platform.deps, callBy(platform.deps), first);
    await platform.pass();

    const second = await requestPayment(
      platform.deps,
      callBy(platform.deps),
      aRequest({ references, terminalId: other }),
    );
    expect(second).toMatchObject({ ok: false, error: { code: "possible_duplicate", sessionId: first.sessionId } });

    const confirmed = aRequest({ references, terminalId: other, confirmDuplicate: true });
    expect(await requestPayment(platform.deps, callBy(platform.deps), confirmed)).toMatchObject({ ok: true });
    const half = aRequest({ references, terminalId: other, amount: 100, vat: 0 });
    expect(await requestPayment(platform.deps, callBy(platform.deps), half)).toMatchObject({ ok: true });
  });
});
