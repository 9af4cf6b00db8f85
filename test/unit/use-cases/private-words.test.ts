import { expect, it } from "vitest";
import { toPaymentObject } from "../../../shared/contracts/objects/payment.ts";
import { toSettlementFile } from "../../../shared/contracts/objects/settlement-file.ts";
import { toSettlementObject } from "../../../shared/contracts/objects/settlement.ts";
import { toTimelineObject } from "../../../shared/contracts/objects/timeline.ts";
import { closeAlert } from "../../../shared/domain/alert.ts";
import type { Outcome } from "../../../shared/domain/payment/operator/resolution.ts";
import { readFeed } from "../../../shared/use-cases/feed/read-feed.ts";
import { readTimeline } from "../../../shared/use-cases/payments/read-timeline.ts";
import { recordResolution } from "../../../shared/use-cases/operator/record-resolution.ts";
import { aPayment, approval } from "../../support/a-payment.ts";
import { aCall } from "../../support/calls.ts";
import { fc } from "../../support/drawn.ts";
import { callBy } from "../../support/platform.ts";
import { settlementOf } from "../../support/settlement.ts";

const outcome = fc.constantFrom<Outcome>(
  { of: "payment", outcome: "paid", chargeId: "charge-1" },
  { of: "payment", outcome: "paid", chargeId: "charge-2", amount: 100 },
  { of: "payment", outcome: "unpaid" },
  { of: "charge", outcome: "kept", chargeId: "charge-1" },
  { of: "charge", outcome: "reversed", chargeId: "charge-2" },
  { of: "outside", outcome: "refunded", amount: 1, reference: "ref~ ARN" },
  { of: "outside", outcome: "refunded", amount: 1, reference: "ref~ ARN", chargeId: "charge-1" },
);
/** Words that the product does not write. */
const words = (of: string) => fc.string({ minLength: 1, maxLength: 30 }).map((text) => `${of} ${text}`);
const spoken = fc.record({
  outcome,
  by: words("by~"),
  why: words("why~"),
  note: fc.option(words("note~"), { nil: undefined }),
});

it("no partner can read an operator's name, reason or reference, and each reads the note for the partner", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(spoken, { minLength: 1, maxLength: 4 }), async (said) => {
      const payment = await aPayment({ captureMode: "automatic" });
      const { deps } = payment.platform;
      await payment.sendReport("declined", { messageId: (await payment.fetch())?.messageId });
      await payment.sendReport("authorized", approval);
      await payment.sendReport("authorized", { ...approval, chargeId: "charge-2" });
      let notes = 0;
      for (const { outcome, ...text } of said) {
        const resolved = await recordResolution(deps, aCall(deps), await payment.now(), { ...outcome, ...text });
        await payment.platform.pass();
        if (resolved.ok && text.note !== undefined) notes++;
      }
      for (const stored of await deps.alerts.of(payment.sessionId)) {
        const closed = closeAlert(stored.alert, { by: "by~ closing", why: "why~ closing", at: deps.clock.now() });
        if (closed) await deps.alerts.save(closed, stored);
      }
      const call = callBy(deps);
      const timeline = await readTimeline(deps, call, payment.sessionId);
      const feed = await readFeed(deps, call, { number: undefined, atMost: 100, waitSeconds: 0 });
      if (!timeline.ok || !feed.ok) throw new Error("nothing to read");
      const settled = await settlementOf(deps, call, "2026-11-21");
      const read = JSON.stringify([
        toPaymentObject(timeline.value.payment),
        toTimelineObject(timeline.value),
        feed.value,
        payment.platform.webhooksSent,
        toSettlementObject(settled),
        toSettlementFile(settled),
      ]);
      expect(read).not.toMatch(/by~|why~|ref~/);
      const { entries } = toTimelineObject(timeline.value);
      expect(entries.filter(({ detail }) => detail?.startsWith("note~"))).toHaveLength(notes);
      const history = await deps.payments.history(payment.key);
      const kept = history.filter(({ by }) => by === "operator");
      expect(kept.every(({ operator }) => operator?.by.startsWith("by~") && operator.why.startsWith("why~"))).toBe(
        true,
      );
    }),
    { numRuns: 40 },
  );
});
