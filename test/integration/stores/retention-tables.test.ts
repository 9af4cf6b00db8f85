import { expect, it } from "vitest";
import { Conflict } from "../../../shared/ports/failures.ts";
import { paymentKeyOf } from "../../../shared/ports/subjects.ts";
import { eachTable, tablePorts } from "../../../shared/stores/stores.ts";
import { aPaymentIn } from "../../support/a-payment.ts";
import { historyEntry } from "../../unit/stores/full-payments.ts";
import { onBothStores } from "../tables/stores.ts";

const at = "2026-11-21T10:00:00.000Z";

onBothStores("what leaves", (newTable) => {
  it("is a payment as it was read, with all its rows; if it changed since, it stays complete", async () => {
    const [rows, others] = [await newTable(), await newTable()];
    const { payments, retention } = tablePorts(eachTable((table) => (table === "terminals" ? rows : others)));
    const payment = aPaymentIn("captured");
    const key = paymentKeyOf(payment);
    await payments.commit(key, { payment, read: undefined, entry: { ...historyEntry, reportId: "r1" } });
    const neighbour = { ...payment, sessionId: `${payment.sessionId}0` };
    await payments.commit(neighbour, { payment: neighbour, read: undefined, entry: historyEntry });
    const read = await payments.find(key);
    if (!read) throw new Error("the payment is gone");
    await payments.commit(key, { payment, read, entry: { ...historyEntry, sequence: historyEntry.sequence + 1 } });
    await expect(retention.removePayment(key, read.etag)).rejects.toThrow(Conflict);
    expect(await payments.history(key)).toHaveLength(2);
    expect(await retention.removePayment(key, (await payments.find(key))?.etag ?? "")).toBe(5);
    expect(await payments.history(key)).toEqual([]);
    expect(await payments.find(key)).toBeUndefined();
    expect(await payments.find(neighbour)).toMatchObject({ payment: paymentKeyOf(neighbour) });
    expect(await payments.history(neighbour)).toHaveLength(1);
  });

  it("is everything about an address", async () => {
    const rows = await newTable();
    const { accessTokens, retention } = tablePorts(eachTable(() => rows));
    const request = { landingPageId: "page", requestId: "r1", createdAt: at };
    await accessTokens.noteIssued("00aa", [{ tokenId: "t1", at }], undefined);
    await accessTokens.noteRequest("00ff", request);
    await accessTokens.noteRequest("00ff", { ...request, requestId: "r2" });
    expect(await retention.requestsOf("00ff")).toEqual([request, { ...request, requestId: "r2" }]);
    expect(await retention.forgetRequest("00ff", request)).toBe(1);
    expect(await retention.forgetAddress("00ff")).toBe(1);
    expect(await retention.forgetAddress("00ff")).toBe(0);
    expect(await retention.forgetCount("00aa", at)).toBe(0);
    expect(await retention.forgetCount("00aa")).toBe(1);
    expect(await retention.forgetCount("00aa")).toBe(0);
  });
});
