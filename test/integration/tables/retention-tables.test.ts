import { expect, it } from "vitest";
import { Conflict } from "../../../shared/ports/failures.ts";
import { paymentKeyOf } from "../../../shared/ports/subjects.ts";
import { eachTable, tablePorts } from "../../../shared/stores/stores.ts";
import { aPaymentIn } from "../../support/a-payment.ts";
import { historyEntry } from "../../unit/tables/full-payments.ts";
import { onBothStores } from "./stores.ts";

const at = "2026-11-21T10:00:00.000Z";
const day = "2026-11-21";

onBothStores("what leaves", (newTable) => {
  it("is a payment as it was read, with all its rows; if it changed since, it stays complete", async () => {
    const [rows, others] = [await newTable(), await newTable()];
    const { payments, retention } = tablePorts(eachTable((table) => (table === "terminals" ? rows : others)));
    const payment = aPaymentIn("captured");
    const key = paymentKeyOf(payment);
    await payments.commit(key, { payment, etag: undefined, entry: { ...historyEntry, reportId: "r1" } });
    const neighbour = { ...payment, sessionId: `${payment.sessionId}0` };
    await payments.commit(neighbour, { payment: neighbour, etag: undefined, entry: historyEntry });
    const read = await payments.find(key);
    if (!read) throw new Error("the payment is gone");
    await payments.unlist(read);
    await expect(retention.removePayment(key, read.etag)).rejects.toThrow(Conflict);
    await expect(retention.removePayment(key, undefined)).rejects.toThrow(Conflict);
    expect(await payments.history(key)).toHaveLength(1);
    expect(await retention.removePayment(key, (await payments.find(key))?.etag)).toBe(3);
    expect(await payments.history(key)).toEqual([]);
    expect(await payments.find(key)).toBeUndefined();
    expect(await payments.find(neighbour)).toMatchObject({ payment: paymentKeyOf(neighbour) });
    expect(await payments.history(neighbour)).toHaveLength(1);
  });

  it("is an entry of a day, on the first of the listed days, unless it was entered again", async () => {
    const rows = await newTable();
    const { listings, retention } = tablePorts(eachTable(() => rows));
    expect(await retention.oldestDay()).toBeUndefined();
    const subject = { kind: "payment", partnerId: "p", terminalId: "t", sessionId: "s" } as const;
    await listings.enter(subject, { day: "2026-12-01", isOpen: true, at });
    await listings.enter(subject, { day, isOpen: false, at });
    expect(await retention.oldestDay()).toBe(day);
    expect([await retention.isListedIn("2026-11"), await retention.isListedIn("2026-10")]).toEqual([true, false]);
    const [entry] = await retention.entriesOf(day, "payment");
    if (!entry) throw new Error("the entry is gone");
    await listings.enter(subject, { day, isOpen: false, at });
    await expect(retention.leaveDay(entry)).rejects.toThrow(Conflict);
    for (const again of await retention.entriesOf(day, "payment")) await retention.leaveDay(again);
    expect(await retention.entriesOf(day, "payment")).toEqual([]);
    expect(await retention.oldestDay()).toBe("2026-12-01");
    expect(await listings.listOpen("payment")).toHaveLength(1);
  });

  it("is everything about an address; the record of a purge's progress changes on its ETag", async () => {
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

    await retention.savePassed("payments", day, undefined);
    const passed = await retention.passed("payments");
    await retention.savePassed("payments", "2026-11-22", passed);
    await expect(retention.savePassed("payments", "2026-11-23", passed)).rejects.toThrow(Conflict);
    expect(await retention.passed("payments")).toMatchObject({ before: "2026-11-22" });
  });
});
