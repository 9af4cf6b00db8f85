import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import type { PaymentObject } from "../../shared/contracts/objects/payment.ts";
import { operatorOf } from "../support/admin.ts";
import { isReplay, partnerFor } from "../support/partner.ts";
import { aRunningPayment } from "../support/running-payment.ts";
import { startWebhookServer } from "../support/webhook-server.ts";

const asPartner = partnerFor("correcting");
const { partner, read, refund, silent, timeline } = asPartner;
let server: Awaited<ReturnType<typeof startWebhookServer>>;
beforeAll(async () => {
  server = await startWebhookServer(partner.webhookSecret);
});
afterAll(async () => server.close());

/** The platform's operator, with commands about one session. */
function operatorFor(sessionID: string) {
  const { shown } = operatorOf(inject("stack"));
  const who = ["--by", "ada", "--why", "the acquirer's list"];
  const session = ["--partner", partner.partnerID, "--session", sessionID];
  return {
    async resolve(...words: string[]) {
      const { sequence } = await shown<PaymentObject>("payment", "show", ...session);
      return shown<PaymentObject>("payment", "resolve", ...session, "--sequence", String(sequence), ...words, ...who);
    },
    /** Previews the resolution. If the payment is not at the sequence of the words, only the preview results, and nothing is done. */
    preview: (...words: string[]) =>
      shown<{ sequence: number; follows: string[]; command: string }>(
        "payment",
        "resolve",
        ...session,
        ...words,
        ...who,
      ),
    alerts: () => shown<readonly { alert: string; about: string; status: string }[]>("alert", "show", sessionID),
    show: () => shown("payment", "show", ...session),
    close: (...words: string[]) => shown("alert", "close", sessionID, ...words, ...who),
  };
}

describe("a payment that ended differently than recorded", () => {
  it("can be corrected: the alert of a charge after its end, the resolution that the merchant kept it, and its refund", async () => {
    const { message, ...body } = await aRunningPayment(asPartner, { responseWebhookUrl: server.url });
    const { sessionID } = body;
    const operator = operatorFor(sessionID);
    const [kept, other] = [randomUUID(), randomUUID()];
    await silent.sendReport(message, "declined");
    for (const chargeID of [kept, other]) await silent.sendReport(message, "authorized", { chargeID });
    await expect
      .poll(() => operator.alerts().catch(() => []))
      .toMatchObject([
        { alert: "unwantedApproval", about: kept, status: "open" },
        { alert: "unwantedApproval", about: other, status: "open" },
      ]);

    const before = await read(sessionID);
    const words = ["--charge", kept.toUpperCase(), "--outcome", "kept"];
    const { sequence, follows, command } = await operator.preview(...words);
    expect(follows).toContain(`The charge ${kept} of 125.50 SEK goes from reversing to kept.`);
    expect(command).toMatch(/^npm run admin -- payment resolve .* --why 'the acquirer'\\''s list' --sequence \d+$/);
    const stale = operator.preview(...words, "--sequence", String(sequence - 1));
    await expect(stale).rejects.toThrow(
      /^Nothing was done: the payment has changed since you read it.*\nThe consequences would now/,
    );
    expect(await read(sessionID)).toEqual(before);

    await operator.resolve(...words, "--note", "it stays with you");
    const corrected = await server.until("payment.corrected", sessionID);
    expect(corrected.event.data).toMatchObject({
      status: "declined",
      final: true,
      amounts: { authorized: 0, captured: 125.5 },
      charges: [
        { chargeID: kept, status: "kept" },
        { chargeID: other, status: "reversing" },
      ],
    });
    expect(await read(sessionID)).toEqual(corrected.event.data);

    // The message to void it has left the inbox. The other charge's message is the next that the terminal gets.
    const voiding = await silent.reach("void", sessionID);
    expect(voiding).toMatchObject({ chargeID: other });
    await silent.sendReport(voiding, "voided");

    expect(await refund(body, 10)).toMatchObject({ status: 409, body: { code: "invalid_state" } });
    expect(await refund(body, 10, { chargeID: other })).toMatchObject({ status: 409, body: { code: "invalid_state" } });
    expect(await refund(body, 10, { chargeID: randomUUID() })).toMatchObject({
      status: 422,
      body: { code: "validation_failed", errors: [{ field: "chargeID" }] },
    });
    expect(await refund(body, 125.51, { chargeID: kept })).toMatchObject({
      status: 422,
      body: { code: "amount_exceeds_refundable" },
    });
    const refundID = randomUUID();
    const refundKept = () => refund(body, 125.5, { chargeID: kept.toUpperCase(), refundID });
    expect(await refundKept()).toMatchObject({
      status: 202,
      body: { status: "declined", refunds: [{ chargeID: kept }] },
    });
    expect(isReplay(await refundKept())).toBe(true);
    const refunding = await silent.reach("refund", sessionID);
    expect(refunding).toMatchObject({ chargeID: kept, amount: 125.5 });
    await silent.sendReport(refunding, "refunded", { refundID });
    const refunded = await server.until("refund.succeeded", sessionID);
    expect(refunded.event.data).toMatchObject({ status: "declined", amounts: { captured: 125.5, refunded: 125.5 } });
    const { entries } = await timeline(sessionID);
    expect(entries).toContainEqual(
      expect.objectContaining({ by: "operator", event: "chargeKept", detail: "it stays with you" }),
    );
    expect(JSON.stringify([entries, await read(sessionID)])).not.toMatch(/\bada\b|acquirer's list/);
  });

  it("shows its partner money that was returned outside, and the reference only to operators; it can be taken back", async () => {
    const { message, ...body } = await aRunningPayment(asPartner, {
      captureMode: "automatic",
      responseWebhookUrl: server.url,
    });
    const { sessionID } = body;
    const operator = operatorFor(sessionID);
    await silent.sendReport(message, "authorized", { chargeID: randomUUID() });
    await asPartner.until(sessionID, "captured");
    await operator.resolve("--refunded-outside", "25.50", "--reference", "ARN 74027");
    const { event } = await server.until("refund.succeeded", sessionID);
    const [made] = (await read(sessionID)).refunds;
    expect(event.data).toMatchObject({ status: "captured", amounts: { captured: 125.5, refunded: 25.5 } });
    expect(made).toMatchObject({ refundAmount: 25.5, status: "succeeded", statusReason: "settledByOperator" });
    expect(await refund(body, 100.01)).toMatchObject({ status: 422, body: { code: "amount_exceeds_refundable" } });
    const { entries } = await timeline(sessionID);
    expect(JSON.stringify([entries, event, await read(sessionID)])).not.toContain("ARN 74027");
    expect(JSON.stringify(await operator.show())).toContain("ARN 74027");
    await operator.resolve("--refund", made?.refundID ?? "", "--outcome", "failed");
    await server.until("refund.failed", sessionID);
  });

  it("can be corrected only while an open alert names it, such as a void that nobody requested", async () => {
    const { message, ...body } = await aRunningPayment(asPartner, {
      captureMode: "automatic",
      responseWebhookUrl: server.url,
    });
    const { sessionID } = body;
    const operator = operatorFor(sessionID);
    const chargeID = randomUUID();
    await silent.sendReport(message, "authorized", { chargeID });
    await asPartner.until(sessionID, "captured");
    await expect(operator.resolve("--outcome", "unpaid")).rejects.toThrow("only while an open alert names it");

    await silent.sendReport(message, "voided", { chargeID });
    await expect.poll(() => operator.alerts().catch(() => [])).toMatchObject([{ about: chargeID, status: "open" }]);
    const contradicted = await server.until("payment.contradicted", sessionID);
    expect(contradicted.event.data).toMatchObject({
      status: "captured",
      amounts: { captured: 125.5 },
      charges: [{ chargeID, status: "captured", contradicted: true }],
    });
    expect(await refund(body, 1)).toMatchObject({ status: 409, body: { code: "invalid_state" } });

    await operator.resolve("--outcome", "paid");
    const corrected = await server.until("payment.corrected", sessionID);
    expect(corrected.event.data).toMatchObject({ status: "captured", amounts: { captured: 125.5 } });
    expect(corrected.body).not.toContain("contradicted");
    await expect(operator.resolve("--outcome", "paid")).rejects.toThrow(
      "The payment's books already have this outcome.",
    );
    await operator.resolve("--charge", chargeID, "--outcome", "reversed");
    const reversed = await server.until("reversal.succeeded", sessionID);
    expect(reversed.event.data).toMatchObject({
      status: "captured",
      amounts: { captured: 0 },
      charges: [{ chargeID, status: "reversed" }],
    });
    expect(await refund(body, 1)).toMatchObject({ status: 422, body: { code: "amount_exceeds_refundable" } });

    await operator.close("contradictingReport");
    await expect(operator.resolve("--outcome", "paid")).rejects.toThrow("only while an open alert names it");
  });
});
