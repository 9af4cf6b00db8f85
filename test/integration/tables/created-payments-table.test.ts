import { expect, it } from "vitest";
import { createdPaymentsTable, type CreatedPayment } from "../../../shared/stores/created-payments.ts";
import { onBothStores } from "./stores.ts";

const partnerId = "aaaaaaaa-0000-4000-8000-000000000001";

const anEntry = (createdAt: string, sessionId: string, more: Partial<CreatedPayment> = {}): CreatedPayment => ({
  partnerId,
  sessionId,
  createdAt,
  requestedBy: "c1",
  merchantId: "m1",
  terminalId: "t1",
  orderId: "order / ~7",
  ...more,
});

onBothStores("a partner's created payments", (newTable) => {
  it("are listed in the order of their creation, then of their sessions, across the ends of months", async () => {
    const table = createdPaymentsTable(await newTable());
    const [a, b, c, d, e] = [
      anEntry("2026-01-30T23:59:59.999Z", "s9"),
      anEntry("2026-01-31T00:00:00.000Z", "s1"),
      anEntry("2026-01-31T00:00:00.000Z", "s2"),
      anEntry("2026-02-28T12:00:00.000Z", "s3"),
      anEntry("2026-03-01T00:00:00.000Z", "s0"),
    ] as const;
    for (const entry of [d, c, e, a, b]) await table.enter(entry);
    const list = async (after: string, before: string, atMost = 100, of = partnerId) =>
      (await table.list({ partnerId: of, after, before }, atMost)).map(({ position: _, ...entry }) => entry);

    expect(await list("2026-01-30T00:00:00.000Z", "2026-03-02T00:00:00.000Z")).toEqual([a, b, c, d, e]);
    expect(await list("2026-01-31T00:00:00.000Z", "2026-03-01T00:00:00.000Z")).toEqual([b, c, d]);
    expect(await list("2026-01-31T00:00:00.001Z", "2026-02-28T12:00:00.000Z")).toEqual([]);
    expect(await list("2026-01-30T00:00:00.000Z", "2026-03-02T00:00:00.000Z", 2)).toEqual([a, b]);
    expect(await list("2026-01-01T00:00:00.000Z", "2026-01-31T00:00:00.000Z", 100, "another")).toEqual([]);
  });

  it("can be read on from the position of each, and a position begins with the time", async () => {
    const table = createdPaymentsTable(await newTable());
    const at = "2026-11-21T10:00:00.000Z";
    for (const sessionId of ["s1", "s2", "s3"]) await table.enter(anEntry(at, sessionId));
    const range = { partnerId, before: "2026-12-01T00:00:00.000Z" };
    let after = at;
    for (const sessionId of ["s1", "s2", "s3"]) {
      const [next] = await table.list({ ...range, after }, 1);
      expect(next).toMatchObject({ sessionId });
      expect(next?.position.startsWith(`${at}~`)).toBe(true);
      after = next?.position ?? "";
    }
    expect(await table.list({ ...range, after }, 1)).toEqual([]);
  });

  it("have an entry for each request of a session, overwritten if it exists, until it is withdrawn", async () => {
    const table = createdPaymentsTable(await newTable());
    const at = "2026-11-21T10:00:00.000Z";
    const [one, other] = [anEntry(at, "s1"), anEntry(at, "s1", { requestedBy: "c2", terminalId: "t2" })];
    for (const entry of [one, other, one]) await table.enter(entry);
    const all = async () =>
      (await table.list({ partnerId, after: at, before: "2026-12-01T00:00:00.000Z" }, 10)).map((e) => e.requestedBy);
    expect(await all()).toEqual(["c1", "c2"]);
    expect(await table.withdraw(one)).toBe(1);
    expect(await table.withdraw(one)).toBe(0);
    expect(await all()).toEqual(["c2"]);
  });
});
