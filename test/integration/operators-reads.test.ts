import { beforeAll, describe, expect, inject, it } from "vitest";
import { createTables } from "../../infra/operator/common/create-tables.ts";
import { tablesConnection } from "../../packages/workbench/stack/azurite.ts";
import { azureTables } from "../../shared/adapters/tables/azure-tables.ts";
import { renameMerchant } from "../../shared/use-cases/operator/onboarding/merchants.ts";
import { aBooking } from "../support/a-booking.ts";
import { addBookings } from "../support/add-bookings.ts";
import { operatorOf } from "../support/admin.ts";
import { aPaymentOn, approval } from "../support/a-payment.ts";
import { aPlatform, merchantId, partnerId, terminalId, type Platform } from "../support/platform.ts";
import { lookAtSettlement } from "../support/settlement.ts";

const connection = tablesConnection(inject("azurite"));
const { shown, printed } = operatorOf({
  tables: connection,
  serviceBus: "Endpoint=sb://127.0.0.1/", // no command here needs it
  peppers: {},
  codeKeys: {},
  webhookSecretKeys: {},
});
type Row = Readonly<Record<string, unknown>>;
const NAMES = { terminalName: "Kassa 1", merchantName: "Café" };

let platform: Platform;
beforeAll(async () => {
  await createTables(connection);
  const tables = azureTables(connection);
  platform = await aPlatform({ open: (table) => tables[table] });
});

/** A payment on a terminal with a name, whose charge is in doubt. */
async function inDoubt() {
  const payment = await aPaymentOn(platform, { captureMode: "automatic" });
  const { terminals } = platform.deps;
  const view = await terminals.find(payment.terminalId);
  if (!view) throw new Error("the terminal is gone");
  await terminals.save({ ...view.terminal, name: "Kassa 1", merchantName: "Café" }, view.etag);
  await payment.fetch();
  await payment.sendReport("accepted");
  await platform.pass(600);
  return payment;
}

describe("names beside identifiers", () => {
  it("are shown with alerts and payments, and how long money has been in doubt", async () => {
    const { sessionId, terminalId, key } = await inDoubt();
    const session = ["--partner", partnerId, "--session", sessionId];
    await platform.pass(24 * 3600);
    const listed = (await shown<Row[]>("alert", "list")).find(({ sessionID }) => sessionID === sessionId);
    expect(listed).toMatchObject({
      alert: "outcomeUnknown",
      ...NAMES,
      now: expect.stringMatching(/^Kassa 1 of Café: /),
    });
    const [alert] = await shown<Row[]>("alert", "show", sessionId);
    expect(alert).toMatchObject({ ...NAMES, inDoubt: expect.stringMatching(/^\d+ d( \d+ h)?, since 2026-11-21T10:/) });
    const { payment } = (await platform.deps.payments.find(key)) ?? {};
    const day = payment?.updatedAt.slice(0, 10) ?? "";
    const rows = await shown<Row[]>("payment", "list", "--day", day, "--terminal", terminalId);
    expect(rows).toMatchObject([{ sessionID: sessionId, ...NAMES, terminal: "Kassa 1 of Café" }]);
    expect(await shown("payment", "show", ...session)).toMatchObject({ terminal: "Kassa 1 of Café" });
    expect((await printed("payment", "why", sessionId)).out).toContain(`on terminal ${terminalId} (Kassa 1 of Café): `);
  });

  it("are left out for a terminal that is retired, and money that is known is not in doubt", async () => {
    const { sessionId, terminalId, sendReport } = await inDoubt();
    await sendReport("authorized", { ...approval, chargeId: "charge-1" });
    await sendReport("authorized", { ...approval, chargeId: "charge-2" });
    const view = await platform.deps.terminals.find(terminalId);
    if (!view) throw new Error("the terminal is gone");
    await platform.deps.terminals.retire({ ...view.terminal, retiredAt: view.terminal.updatedAt }, view);
    const [alert] = await shown<Row[]>("alert", "show", sessionId);
    expect(alert).toMatchObject({ alert: "unwantedApproval", sessionID: sessionId });
    for (const name of ["terminalName", "merchantName", "inDoubt"]) expect(alert).not.toHaveProperty(name);
  });
});

describe("books", () => {
  const day = "2026-11-21";
  const words = ["settlement", "show", "--partner", partnerId, "--day", day];
  const other = "cccccccc-0000-4000-8000-000000000099";

  it("of a settlement are shown with the terminals that keep it open, until it is closed", async () => {
    const { deps } = platform;
    await renameMerchant(deps, { partnerId, merchantId, name: "Café" });
    const made = [
      aBooking(),
      aBooking({ amount: 50, tip: 10 }),
      aBooking({ kind: "refund", direction: "debit", amount: 100 }),
    ];
    await addBookings(deps, made, day);
    await addBookings(deps, [aBooking({ terminalId: other })], day);
    expect(await shown(...words)).toEqual({
      partnerID: partnerId,
      date: day,
      status: "open",
      movements: 4,
      totals: [
        { currency: "SEK", kind: "capture", direction: "credit", count: 3, amount: 251.5, tip: 0.1 },
        { currency: "SEK", kind: "refund", direction: "debit", count: 1, amount: 1, tip: 0 },
      ],
      openTerminals: [{ pointOfServiceID: terminalId, merchantName: "Café" }, { pointOfServiceID: other }],
    });
    const key = { terminalId: other, day };
    await deps.terminalDays.closeBooks(key, "2026-11-22T00:00:00.000Z", await deps.terminalDays.find(key));
    expect(await shown(...words)).toMatchObject({ openTerminals: [{ pointOfServiceID: terminalId }] });
    await lookAtSettlement(deps, { partnerId, day }, "2026-11-25T00:00:00.000Z");
    const closed = await shown(...words);
    expect(closed).toMatchObject({ status: "closed", movements: 4, closedAt: expect.any(String) });
    expect(closed).not.toHaveProperty("openTerminals");
  });

  it("of a terminal's day are shown as the partner reads them, and a strange terminal has none", async () => {
    expect(await shown("terminal", "day", terminalId.toUpperCase(), "--day", day)).toMatchObject({
      pointOfServiceID: terminalId,
      merchantName: "Café",
      businessDay: day,
      status: "open",
      bookedTotals: [{ currency: "SEK", captures: 2, captured: 126, refunds: 1, refunded: 1 }],
      differences: [],
    });
    await expect(shown("terminal", "day", other, "--day", day)).rejects.toThrow("There is no such terminal.");
  });
});
