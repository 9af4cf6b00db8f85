import { expect, it } from "vitest";
import { wantedCharge } from "../../../shared/domain/payment/record/charge.ts";
import { voucherFate } from "../../../shared/domain/payment/life/voucher-use.ts";
import { Unavailable } from "../../../shared/ports/failures.ts";
import { aToken } from "../../support/consumer.ts";
import { aPaymentOn } from "../../support/a-payment.ts";
import { fc } from "../../support/drawn.ts";
import { aPlatform, type Platform } from "../../support/platform.ts";

type Payment = Awaited<ReturnType<typeof aPaymentOn>>;

/** The actions of partner and terminal on a payment. Many of them are rightly refused or only recorded. */
const acts: Record<string, (payment: Payment) => Promise<unknown>> = {
  accept: (p) => p.sendReport("accepted", {}, "wait"),
  apply: async (p) => {
    const [offered] = await p.offers();
    if (offered) await p.sendReport("discountApplied", { discountId: offered.discountId }, "wait");
  },
  refuse: async (p) => {
    const [offered] = await p.offers();
    if (offered) await p.sendReport("discountRefused", { discountId: offered.discountId }, "wait");
  },
  approveLess: (p) => p.sendReport("authorized", { chargeId: "less", amount: 10_050, currency: "SEK" }, "wait"),
  approveAll: (p) => p.sendReport("authorized", { chargeId: "all", amount: 12_550, currency: "SEK" }, "wait"),
  decline: (p) => p.sendReport("declined", {}, "wait"),
  cancel: (p) => p.cancel(),
  obey: (p) => p.sendReport("cancelled", {}, "wait"),
  capture: (p) => p.capture(),
  captured: async (p) => p.sendReport("captured", await chargeOf(p), "wait"),
  captureFailed: async (p) => p.sendReport("captureFailed", await chargeOf(p), "wait"),
  voided: async (p) => p.sendReport("voided", await chargeOf(p), "wait"),
};

/** The wanted charge, or the first charge that is being given back. */
async function chargeOf(p: Payment) {
  const payment = await p.now();
  const charge = wantedCharge(payment) ?? payment.charges.find(({ status }) => status === "reversing");
  return { chargeId: charge?.chargeId };
}

/** A worker that dies at a write, before or after it takes place. */
type Fault = { readonly at: "token" | "payment" | "mark"; readonly when: "before" | "after" };
const fault = fc.record<Fault>({
  at: fc.constantFrom("token", "payment", "mark"),
  when: fc.constantFrom("before", "after"),
});

const step = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("act" as const),
      act: fc.constantFrom(...Object.keys(acts)),
      who: fc.nat(2),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("spend" as const), voucher: fc.nat(1), who: fc.nat(2) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("work" as const),
      which: fc.nat(),
      again: fc.boolean(),
      fault: fc.option(fault, { nil: undefined, freq: 2 }),
    }),
  },
);

/** Delivers one message that is due, out of order, perhaps twice, perhaps to a worker that dies at a write. */
async function work(
  platform: Platform,
  { which, again, fault }: { which: number; again: boolean; fault: Fault | undefined },
) {
  const { deps, queued } = platform;
  const due = queued.filter((m) => m.enqueuedAt <= deps.clock.now());
  const message = due[which % Math.max(1, due.length)];
  if (!message) return;
  if (!again) queued.splice(queued.indexOf(message), 1);
  const { accessTokens, payments, commands } = deps;
  const { save } = accessTokens;
  const { commit } = payments;
  const { markDone } = commands;
  let dead = false;
  const dying =
    <Given extends unknown[]>(at: Fault["at"], write: (...given: Given) => Promise<void>) =>
    async (...given: Given): Promise<void> => {
      if (dead || fault?.at !== at) return write(...given);
      dead = true;
      if (fault.when === "after") await write(...given);
      throw new Unavailable("the worker died here");
    };
  accessTokens.save = dying("token", save);
  payments.commit = dying("payment", commit);
  commands.markDone = dying("mark", markDone);
  await platform.handle(message);
  Object.assign(accessTokens, { save });
  Object.assign(payments, { commit });
  Object.assign(commands, { markDone });
}

it("a voucher is redeemed exactly if one payment was captured with it, under any events in any order", async () => {
  const seen = { redeemed: 0, reserved: 0, active: 0 };
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60, size: "max" }), async (steps) => {
      const platform = await aPlatform();
      const vouchers = [await aToken(platform), await aToken(platform)];
      const payments = [
        await aPaymentOn(platform),
        await aPaymentOn(platform, { captureMode: "automatic" }),
        await aPaymentOn(platform, { lateApproval: "keep" }),
      ];
      for (const step of steps) {
        if (step.kind === "work") await work(platform, step);
        else {
          const payment = payments[step.who];
          if (payment && step.kind === "act") await acts[step.act]?.(payment);
          if (payment && step.kind === "spend") await payment.spend(vouchers[step.voucher]?.code ?? "");
        }
      }
      await platform.pass(400); // the faults end, and every message is delivered

      const known = await Promise.all(payments.map((payment) => payment.now()));
      for (const voucher of vouchers) {
        const { status, use, tokenId } = await voucher.now();
        const fates = known.flatMap((payment) =>
          payment.discounts
            .filter((d) => d.voucherTokenId === tokenId)
            .map(({ discountId }) => ({ fate: voucherFate(payment, discountId), discountId })),
        );
        const holding = fates.filter(({ fate }) => fate !== "free");
        expect(holding.length).toBeLessThanOrEqual(1);
        const expected = { spent: "redeemed", held: "reserved", free: "active" }[holding[0]?.fate ?? "free"];
        expect({ status, by: use?.discountId }).toEqual({ status: expected, by: holding[0]?.discountId });
        if (status !== "revoked") seen[status]++;
      }
      for (const payment of payments) {
        const offered = (await payment.offers()).map(({ discountId }) => discountId);
        expect(offered).toEqual([...new Set(offered)]); // a terminal gets a discount once
      }
    }),
    { numRuns: 100 },
  );
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(0); // a test without a spent voucher would prove nothing
});
