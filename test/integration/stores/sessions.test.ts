import { expect, it } from "vitest";
import { Conflict } from "../../../shared/ports/failures.ts";
import { type CreatedPayment, sessionsTable } from "../../../shared/stores/sessions.ts";
import { onBothStores } from "../tables/stores.ts";

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

onBothStores("a partner's sessions and its list of payments", (newTable) => {
  it("are listed in the order of their creation, then of their sessions", async () => {
    const table = sessionsTable(await newTable());
    const [a, b, c, d, e] = [
      anEntry("2026-01-30T23:59:59.999Z", "s9"),
      anEntry("2026-01-31T00:00:00.000Z", "s1"),
      anEntry("2026-01-31T00:00:00.000Z", "s2"),
      anEntry("2026-02-28T12:00:00.000Z", "s3"),
      anEntry("2026-03-01T00:00:00.000Z", "s0"),
    ] as const;
    for (const entry of [d, c, e, a, b]) await table.enter(entry, undefined);
    const list = async (after: string, before: string, atMost = 100, of = partnerId) =>
      (await table.list({ partnerId: of, after, before }, atMost)).map(({ position: _, ...entry }) => entry);

    expect(await list("2026-01-30T00:00:00.000Z", "2026-03-02T00:00:00.000Z")).toEqual([a, b, c, d, e]);
    expect(await list("2026-01-31T00:00:00.000Z", "2026-03-01T00:00:00.000Z")).toEqual([b, c, d]);
    expect(await list("2026-01-31T00:00:00.001Z", "2026-02-28T12:00:00.000Z")).toEqual([]);
    expect(await list("2026-01-30T00:00:00.000Z", "2026-03-02T00:00:00.000Z", 2)).toEqual([a, b]);
    expect(await list("2026-01-01T00:00:00.000Z", "2026-01-31T00:00:00.000Z", 100, "another")).toEqual([]);
  });

  it("can be read on from the position of each, and a position begins with the time", async () => {
    const table = sessionsTable(await newTable());
    const at = "2026-11-21T10:00:00.000Z";
    for (const sessionId of ["s1", "s2", "s3"]) await table.enter(anEntry(at, sessionId), undefined);
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

  it("are entered with the terminals of their sessions, both or neither, and only as a session was read", async () => {
    const table = sessionsTable(await newTable());
    const at = "2026-11-21T10:00:00.000Z";
    const [one, other] = [anEntry(at, "s1"), anEntry(at, "s1", { requestedBy: "c2", terminalId: "t2" })];
    const listed = async () =>
      (await table.list({ partnerId, after: at, before: "2026-12-01T00:00:00.000Z" }, 10)).map((e) => e.requestedBy);
    expect(await table.find(one)).toBeUndefined();
    await table.enter(one, undefined);
    const read = await table.find(one);
    expect(read).toMatchObject({ terminalId: "t1" });
    await expect(table.enter(other, undefined)).rejects.toThrow(Conflict);
    expect([await table.find(one), await listed()]).toEqual([read, ["c1"]]);

    await table.enter(other, read);
    expect([await table.find(one), await listed()]).toMatchObject([{ terminalId: "t2" }, ["c1", "c2"]]);
    await expect(table.enter({ ...one, requestedBy: "c3" }, read)).rejects.toThrow(Conflict);
    expect(await listed()).toEqual(["c1", "c2"]);
    expect(await table.find({ ...one, partnerId: "another" })).toBeUndefined();
  });

  it("are written again without a change, and each leaves the list and the sessions alone", async () => {
    const table = sessionsTable(await newTable());
    const at = "2026-11-21T10:00:00.000Z";
    const [one, other] = [anEntry(at, "s1"), anEntry(at, "s2")];
    for (const entry of [one, other]) await table.enter(entry, undefined);
    const listed = async () =>
      (await table.list({ partnerId, after: at, before: "2026-12-01T00:00:00.000Z" }, 10)).map((e) => e.sessionId);
    await table.enterAgain(one);
    expect(await listed()).toEqual(["s1", "s2"]);
    expect(await table.withdraw(one)).toBe(1);
    expect(await table.withdraw(one)).toBe(0);
    expect(await listed()).toEqual(["s2"]);

    const read = await table.find(one);
    if (!read) throw new Error("the session left with its entry");
    await table.enter(anEntry(at, "s1", { requestedBy: "c2" }), read);
    await expect(table.remove(one, read)).rejects.toThrow(Conflict);
    await table.remove(one, (await table.find(one)) ?? read);
    expect(await table.find(one)).toBeUndefined();
    expect(await listed()).toEqual(["s1", "s2"]);
    expect(await table.find(other)).toMatchObject({ terminalId: "t1" });
  });
});
