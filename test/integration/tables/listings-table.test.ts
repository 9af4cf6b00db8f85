import { expect, it } from "vitest";
import { Conflict } from "../../../shared/ports/failures.ts";
import { type Listings, type OpenEntry, listingsTable } from "../../../shared/stores/listings.ts";
import type { Subject } from "../../../shared/ports/subjects.ts";
import { onBothStores } from "./stores.ts";

const [day, at] = ["2026-11-21", "2026-11-21T10:00:00.000Z"];
const payments: readonly Subject[] = Array.from({ length: 40 }, (_, i) => ({
  kind: "payment",
  partnerId: "p",
  terminalId: "t",
  sessionId: `s${i}`,
}));
const action: Subject = { kind: "actionRequest", partnerId: "p", actionRequestId: "a" };
const request: Subject = { kind: "tokenRequest", landingPageId: "page", requestId: "r", createdAt: at };
const [payment] = payments as [Subject];
const ofOther: Subject = { kind: "payment", partnerId: "p2", terminalId: "t", sessionId: "s0" };

const named = (subjects: readonly Subject[]) => subjects.map((subject) => JSON.stringify(subject)).toSorted();

async function entryOf(listings: Listings, subject: Subject): Promise<OpenEntry> {
  const entry = await listings.findOpen(subject);
  if (!entry) throw new Error("it is not listed as open");
  return entry;
}

onBothStores("lists of subjects", (newTable) => {
  it("name every subject once, by its day and kind, and as open until it leaves", async () => {
    const listings = listingsTable(await newTable());
    for (const subject of [...payments, action, request, payment, ofOther])
      await listings.enter(subject, { day, isOpen: true, at });
    expect(named(await listings.ofDay(day, "payment"))).toEqual(named([...payments, ofOther]));
    expect(named(await listings.paymentsOfDay(day, "p"))).toEqual(named(payments));
    expect(await listings.ofDay(day, "actionRequest")).toEqual([action]);
    expect(await listings.ofDay("2026-11-22", "payment")).toEqual([]);
    expect(await listings.listOpen()).toHaveLength(43);
    expect(await listings.listOpen("tokenRequest")).toMatchObject([{ subject: request, enteredAt: at }]);

    await listings.leaveOpen(await entryOf(listings, payment));
    expect(await listings.findOpen(payment)).toBeUndefined();
    expect(await listings.listOpen("payment")).toHaveLength(40);
    expect(await listings.ofDay(day, "payment")).toHaveLength(41);
  });

  it("list a subject only under its day when it has no effect to carry out", async () => {
    const listings = listingsTable(await newTable());
    await listings.enter(payment, { day, isOpen: false, at });
    expect(await listings.ofDay(day, "payment")).toEqual([payment]);
    expect(await listings.listOpen()).toEqual([]);
  });

  it("keep an entry that was entered again since it was read", async () => {
    const listings = listingsTable(await newTable());
    await listings.enter(payment, { day, isOpen: true, at });
    const read = await entryOf(listings, payment);
    await listings.enter(payment, { day, isOpen: true, at });
    await expect(listings.leaveOpen(read)).rejects.toThrow(Conflict);
    expect(await listings.listOpen()).toHaveLength(1);
    await listings.leaveOpen(await entryOf(listings, payment));
    await expect(listings.leaveOpen(read)).rejects.toThrow(Conflict);
  });
});
