import { expect, it } from "vitest";
import { closeAlert, raiseAlert, type Alert, type AlertIdentity } from "../../../shared/domain/alert.ts";
import { after } from "../../../shared/domain/time.ts";
import { Conflict } from "../../../shared/ports/failures.ts";
import { type Alerts, type StoredAlert, alertsTable } from "../../../shared/stores/alerts.ts";
import { onBothStores } from "../tables/stores.ts";

const now = "2026-11-21T10:00:00.000Z";
const payment = { kind: "payment", partnerId: "p", terminalId: "t", sessionId: "s" } as const;
const terminal = { kind: "terminal", partnerId: "p", terminalId: "t", day: "2026-11-21" } as const;
const identity: AlertIdentity = { subject: payment, kind: "contradictingReport", about: "r1" };

function raised(identity: AlertIdentity, sequence: number, known?: Alert): Alert {
  const alert = raiseAlert(identity, known, { by: { sequence }, at: after(now, sequence), detail: "å / #?" });
  if (!alert) throw new Error("it was counted before");
  return alert;
}

const closed = (alert: Alert): Alert => closeAlert(alert, { by: "ada", why: "seen", at: now }) ?? alert;

async function read(alerts: Alerts, identity: AlertIdentity): Promise<StoredAlert> {
  const stored = await alerts.find(identity);
  if (!stored) throw new Error("no alert");
  return stored;
}

onBothStores("alerts", (newTable) => {
  it("are stored as they were raised, one for each subject, kind and object", async () => {
    const alerts = alertsTable(await newTable());
    const others: AlertIdentity[] = [
      { ...identity, about: undefined },
      { ...identity, about: "r2 / å" },
      { ...identity, kind: "unwantedApproval" },
      { ...identity, subject: { ...payment, partnerId: "another" } },
      { ...identity, subject: { ...payment, sessionId: "s2" } },
      { ...identity, subject: terminal },
      { ...identity, subject: { ...terminal, day: "2026-11-22" } },
      { ...identity, subject: { kind: "platform" } },
    ];
    for (const [i, one] of [identity, ...others].entries()) await alerts.save(raised(one, 12 - i), undefined);
    for (const [i, one] of [identity, ...others].entries())
      expect((await read(alerts, one)).alert).toEqual(raised(one, 12 - i));
    expect((await alerts.listOpen()).map(({ raisedBy }) => raisedBy)).toEqual([
      [4],
      [5],
      [6],
      [7],
      [8],
      [9],
      [10],
      [11],
      [12],
    ]);
    for (const [name, has] of [
      ["s", 5],
      ["s2", 1],
      ["t", 2],
      ["platform", 1],
      ["t2", 0],
    ] as const)
      expect(await alerts.of(name)).toHaveLength(has);
    expect(await alerts.find({ ...identity, kind: "amountDiffers" })).toBeUndefined();
  });

  it("are listed while they are open, and found by their subject's name forever", async () => {
    const alerts = alertsTable(await newTable());
    await alerts.save(raised(identity, 3), undefined);
    const open = await read(alerts, identity);
    await alerts.save(closed(open.alert), open);
    expect(await alerts.listOpen()).toEqual([]);
    expect(await alerts.of("s")).toMatchObject([{ alert: { status: "closed", closings: [{ by: "ada" }] } }]);
    expect(await alerts.all()).toHaveLength(1);

    const again = await read(alerts, identity);
    await alerts.save(raised(identity, 5, again.alert), again);
    expect(await alerts.listOpen()).toMatchObject([{ count: 2, closings: [{ by: "ada" }] }]);
    expect(await alerts.all()).toHaveLength(1);
  });

  it("are changed only as they were read: if a raise and a close are concurrent, the second has to read again", async () => {
    const alerts = alertsTable(await newTable());
    await alerts.save(raised(identity, 3), undefined);
    await expect(alerts.save(raised(identity, 4), undefined)).rejects.toThrow(Conflict);
    const open = await read(alerts, identity);
    await alerts.save(raised(identity, 4, open.alert), open);
    await expect(alerts.save(closed(open.alert), open)).rejects.toThrow(Conflict);
    expect(await alerts.listOpen()).toMatchObject([{ count: 2 }]);

    const latest = await read(alerts, identity);
    await alerts.save(closed(latest.alert), latest);
    await expect(alerts.save(raised(identity, 5, latest.alert), latest)).rejects.toThrow(Conflict);
    expect(await alerts.listOpen()).toEqual([]);
  });
});
