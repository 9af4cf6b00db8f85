import { describe, expect, it } from "vitest";
import { requestPayment } from "../../../shared/use-cases/payments/request-payment.ts";
import type { PaymentRequest } from "../../../shared/domain/payment/requests/create-payment.ts";
import { Unavailable } from "../../../shared/ports/failures.ts";
import { orderOf } from "../../../shared/domain/payment/record/order.ts";
import { fetchNext } from "../../support/a-payment.ts";
import { callOf } from "../../support/calls.ts";
import { fc } from "../../support/drawn.ts";
import { rowsInTurn } from "../../support/rows-in-turn.ts";
import { aTill } from "../../support/tills.ts";
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
/** The entries of the partner's list of payments. */
const listed = ({ deps }: Platform) => deps.sessions.list({ partnerId, after: "", before: "~" }, 10);
const holdersOf = async ({ deps }: Platform, request: PaymentRequest) => {
  const order = orderOf(request);
  return (order && (await deps.orders.find(order))?.holders) ?? [];
};

describe("a payment request", () => {
  it("is pending, and its message is handed out once the worker has released it", async () => {
    const platform = await aPlatform();
    const request = aRequest();

    const requested = await requestPayment(platform.deps, callBy(platform.deps), request);
    expect(requested).toMatchObject({
      ok: true,
      value: { replayed: false, payment: { status: "pending", sequence: 1 } },
    });
    expect(await platform.deps.inboxes.unanswered(terminalId)).toMatchObject([
      { isHeld: true, state: "waiting", message: { type: "payment", amount: 12_550, currency: "SEK" } },
    ]);
    expect(await fetchNext(platform)).toBeUndefined();
    const { sessionId, asReceived } = request;
    const holder = { sessionId, asReceived: asReceived.sessionId };
    expect(await platform.deps.terminals.find(terminalId)).toMatchObject({ claim: { holder } });

    await platform.pass();
    expect((await fetchNext(platform))?.message).toMatchObject({ type: "payment", amount: 12_550, currency: "SEK" });
  });

  it("gives its message the trace of its call, so that the terminal's work belongs to it", async () => {
    const platform = await aPlatform();
    const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    await requestPayment(platform.deps, { ...callBy(platform.deps), traceparent }, aRequest());
    await platform.pass();
    expect(await fetchNext(platform)).toMatchObject({ traceparent });
  });

  it("is three round trips deep and at most eight port calls", async () => {
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
    const { payments, commands, terminals, orders, announcements, sessions } = platform.deps;
    const deps = {
      ...platform.deps,
      payments: counted(payments),
      commands: counted(commands),
      terminals: counted(terminals),
      orders: counted(orders),
      announcements: counted(announcements),
      sessions: counted(sessions),
    };

    const requested = await requestPayment(deps, callBy(deps), aRequest({ references: { orderId: "order 1" } }));

    expect(requested.ok).toBe(true);
    expect(calls.map((call) => `${call.round} ${call.name}`)).toEqual([
      "1 find",
      "1 find",
      "2 enter",
      "2 save",
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
    ["question for a tip", { tip: { percents: [10], amounts: [], custom: true, maximumPercent: 30 } }],
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
    await platform.deps.payments.leaveTombstone({ partnerId, ...request }, platform.deps.clock.now());

    const requested = await requestPayment(platform.deps, callBy(platform.deps), request);

    expect(requested).toMatchObject({ ok: false, error: { code: "session_conflict" } });
  });

  it("by another partner learns nothing of a session that was cancelled at the terminal", async () => {
    const { deps } = await aPlatform();
    const request = aRequest();
    await deps.payments.leaveTombstone({ partnerId, ...request }, deps.clock.now());
    const other = callOf(deps, { ...caller, partnerId: "another partner" });
    expect(await requestPayment(deps, other, request)).toMatchObject({ error: { code: "terminal_not_found" } });
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
  const busyWith = ({ asReceived }: PaymentRequest) => ({
    ok: false,
    error: { code: "terminal_busy", retryAfterSeconds: 5, sessionId: asReceived.sessionId },
  });

  it("are refused one after the other: the terminal is busy from the response to the first until its end", async () => {
    const till = await aTill(await aPlatform());
    const first = await till.ask(undefined);
    const asReceived = { sessionId: "AS SENT", merchantId: "m", terminalId: "t" };
    const second = await till.ask(undefined, { asReceived });
    expect(second.answer).toMatchObject({ ok: false, error: { code: "terminal_busy", sessionId: first.sessionId } });
    await till.sendReport(first.sessionId, "declined");
    expect((await till.ask(undefined, { asReceived })).answer).toMatchObject({ ok: true });
    expect((await till.ask(undefined)).answer).toMatchObject({ error: { sessionId: "AS SENT" } });
  });

  it("at once: one is accepted, and the other is refused and leaves no trace", async () => {
    const platform = await aPlatform();
    const { deps } = platform;
    const requests = [1, 2].map((i) => aRequest({ references: { orderId: `order ${i}` } }));
    const answers = await Promise.all(requests.map((request) => requestPayment(deps, callBy(deps), request)));

    const won = answers.findIndex(({ ok }) => ok);
    const [winner, loser] = won === 0 ? requests : requests.toReversed();
    if (!winner || !loser) throw new Error("no request was accepted");
    expect(answers[1 - won]).toEqual(busyWith(winner));
    await platform.pass();
    expect(await stored(platform, winner)).toMatchObject({ payment: { status: "pending" } });
    expect(await stored(platform, loser)).toBeUndefined();
    expect((await listed(platform)).map(({ sessionId }) => sessionId)).toEqual([winner.sessionId]);
    expect(await holdersOf(platform, winner)).toMatchObject([{ sessionId: winner.sessionId }]);
    expect(await holdersOf(platform, loser)).toEqual([]);
    expect(await deps.inboxes.unanswered(terminalId)).toMatchObject([{ slot: { sessionId: winner.sessionId } }]);
    expect(platform.webhooksSent).toEqual([]);
  });

  it("and payments of one order, at once, in whatever order they reach the tables: none is accepted beside its rival", async () => {
    const anOrder = (order: number) => aRequest({ references: { orderId: `order ${order}` } });
    const asked = fc.record({ till: fc.nat(1), order: fc.nat(1) });
    await fc.assert(fc.asyncProperty(fc.scheduler(), fc.array(asked, { minLength: 2, maxLength: 4 }), run), {
      numRuns: 100,
    });

    async function run(scheduler: fc.Scheduler, all: readonly { till: number; order: number }[]) {
      const { open, race } = rowsInTurn((act) => scheduler.schedule(Promise.resolve()).then(act));
      const platform = await aPlatform({ open });
      const { deps } = platform;
      const tills = [await aTill(platform), await aTill(platform)];
      const requests = all.map(({ till, order }) =>
        aRequest({ terminalId: tills[till]?.terminalId ?? "", references: { orderId: `order ${order}` } }),
      );
      race(true);
      const answers = await scheduler.waitFor(
        Promise.all(requests.map((request) => requestPayment(deps, callBy(deps), request))),
      );
      race(false);
      const accepted = requests.filter((_, i) => answers[i]?.ok);
      expect(accepted.length).toBeGreaterThan(0);
      expect(new Set(accepted.map((request) => request.terminalId)).size).toBe(accepted.length);
      expect(new Set(accepted.map((request) => request.references?.orderId)).size).toBe(accepted.length);
      for (const answer of answers)
        if (!answer.ok) expect(["terminal_busy", "possible_duplicate"]).toContain(answer.error.code);
      const sessions = accepted.map((request) => request.sessionId);
      const holders = await Promise.all([0, 1].map((order) => holdersOf(platform, anOrder(order))));
      expect(new Set(holders.flat().map((holder) => holder.sessionId))).toEqual(new Set(sessions));
      expect(new Set((await listed(platform)).map(({ sessionId }) => sessionId))).toEqual(new Set(sessions));
    }
  });

  it("run one at a time on a terminal and for an order, even if calls are lost, requests are repeated and time passes", async () => {
    const asked = fc.record({ session: fc.nat(2), till: fc.nat(1), order: fc.nat(1) });
    const lost = fc.array(fc.record({ call: fc.nat(60), isDone: fc.boolean() }), { maxLength: 3 });
    const passes = fc.array(fc.constantFrom(10_000, 20_000), { maxLength: 2 });
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), fc.array(asked, { minLength: 2, maxLength: 5 }), lost, passes, run),
      { numRuns: 150 },
    );

    async function run(
      scheduler: fc.Scheduler,
      all: readonly { session: number; till: number; order: number }[],
      faults: readonly { readonly call: number; readonly isDone: boolean }[],
      pauses: readonly number[],
    ) {
      let calls = 0;
      const faulty = async (act: () => Promise<unknown>) => {
        const number = calls++;
        const fault = faults.find(({ call }) => call === number);
        const done = fault && !fault.isDone ? undefined : await act();
        if (fault) throw new Unavailable("the response is lost");
        return done;
      };
      const inTurn = (act: () => Promise<unknown>) => scheduler.schedule(Promise.resolve()).then(act);
      const { open, race } = rowsInTurn((act) => inTurn(() => faulty(act)));
      const platform = await aPlatform({ open });
      const { deps } = platform;
      const tills = [await aTill(platform), await aTill(platform)];
      const sessions = [aRequest(), aRequest(), aRequest()].map(({ sessionId, asReceived }) => ({
        sessionId,
        asReceived,
      }));
      race(true);
      const asking = all.map(({ session, till, order }) => {
        const terminalId = tills[till]?.terminalId ?? "";
        const request = aRequest({ ...sessions[session], terminalId, references: { orderId: `order ${order}` } });
        return requestPayment(deps, callBy(deps), request);
      });
      const passing = pauses.map((ms) => inTurn(() => deps.clock.sleep(ms)));
      const answers = await scheduler.waitFor(Promise.all([Promise.allSettled(asking), ...passing]));
      race(false);
      const found = await Promise.all(
        tills.flatMap(({ terminalId }) =>
          sessions.map(({ sessionId }) => deps.payments.find({ partnerId, terminalId, sessionId })),
        ),
      );
      const payments = found.flatMap((one) => one?.payment ?? []);
      const orders = payments.map(({ references }) => references?.orderId);
      expect(new Set(payments.map(({ sessionId }) => sessionId)).size).toBe(payments.length);
      expect(new Set(payments.map((payment) => payment.terminalId)).size).toBe(payments.length);
      expect(new Set(orders).size).toBe(payments.length);
      const commands = payments.map(({ requestedBy }) => requestedBy);
      for (const answer of answers[0])
        if (answer.status === "fulfilled" && answer.value.ok)
          expect(commands).toContain(answer.value.value.payment.requestedBy);
      for (const { terminalId } of tills) {
        const { holder } = await deps.terminals.findClaim(terminalId);
        expect(holder?.sessionId).toBe(payments.find((payment) => payment.terminalId === terminalId)?.sessionId);
      }
      for (const payment of payments) {
        const order = orderOf(payment);
        const holders = (order && (await deps.orders.find(order))?.holders) ?? [];
        expect(holders.map((holder) => holder.commandId)).toContain(payment.requestedBy);
      }
    }
  });
});

describe("the duplicate check", () => {
  it("refuses the same order and amount while another of its sessions is living, naming it", async () => {
    const platform = await aPlatform();
    const [till, other, third] = [await aTill(platform), await aTill(platform), await aTill(platform)];
    const { sessionId } = await till.ask("table 7");
    expect((await other.ask("table 7")).answer).toEqual({
      ok: false,
      error: { code: "possible_duplicate", sessionId },
    });
    expect((await other.ask("table 7", { confirmDuplicate: true })).answer).toMatchObject({ ok: true });
    expect((await third.ask("table 7", { amount: 100, vat: 0 })).answer).toMatchObject({ ok: true });
  });
});
