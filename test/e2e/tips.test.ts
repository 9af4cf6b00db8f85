import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, inject, it } from "vitest";
import type { SettlementObject } from "../../shared/contracts/objects/settlement.ts";
import type { TerminalDayObject } from "../../shared/contracts/objects/terminal-day.ts";
import { operatorOf } from "../support/admin.ts";
import { partnerFor } from "../support/partner.ts";
import { waitFor } from "../support/wait-for.ts";
import { webShopOn } from "../support/web-shop.ts";

// A restaurant asks for tips on a terminal that can ask. A sale is 100.00 SEK, so a tip is at most 30.00 SEK.

const { capture, discount, headers, partner, pay, read, refund, refused, request, send, silent, until } =
  partnerFor("tips");
const stack = inject("stack");
const { pointOfServiceID } = partner.terminals.silent;
const businessDay = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
const tip = { percents: [10, 15], amounts: [20, 50] };

/** The terminal's own sums of the day, in minor units. */
const counted = { captures: 0, captured: 0, refunds: 0, refunded: 0, reversals: 0, reversed: 0 };
type Kind = "capture" | "refund" | "reversal";
const sums = { capture: "captured", refund: "refunded", reversal: "reversed" } as const;
function counts(kind: Kind, amount: number): void {
  counted[`${kind}s`]++;
  counted[sums[kind]] += Math.round(amount * 100);
}

const starts = (can: readonly string[]) =>
  silent.client.report({ reportID: randomUUID(), type: "started", memory: "kept", can });
beforeAll(async () => {
  await silent.online();
  await starts(["tips"]);
});

/** Requests a payment, and begins it at the terminal. */
async function begins(more: Record<string, unknown> = {}) {
  const body = request({ totalAmountInclVat: 100, totalVatAmount: 20, tip, captureMode: "automatic", ...more });
  expect(await pay(body)).toMatchObject({ status: 202 });
  return { ...body, message: await silent.begin(body.sessionID) };
}
type Begun = Awaited<ReturnType<typeof begins>>;

/** The terminal charges an amount, and names its tip. */
async function takes({ message, sessionID }: Begun, amount: number, tipAmount?: number) {
  const chargeID = randomUUID();
  if (message.captureMode === "automatic") counts("capture", amount);
  await silent.sendReport(message, "authorized", { chargeID, amount, tipAmount, businessDay });
  return until(sessionID, "authorized", "captured", "voidRequested");
}

const linesOf = (sessionID: string, count: number) =>
  waitFor(
    `${count} lines of a payment`,
    async () => {
      const { body } = await send<SettlementObject>("GET", `/settlements/${businessDay}`);
      return body.bookings.filter((line) => line.sessionID === sessionID);
    },
    { until: ({ length }) => length >= count },
  );
const movements = (lines: SettlementObject["bookings"]) =>
  lines.map((line) => `${line.kind} ${line.amount} with ${line.tip}`);

describe("a customer at the terminal", () => {
  it.each([
    ["a percentage", 110, 10],
    ["a fixed amount", 120, 20],
    ["an own amount", 107.77, 7.77],
    ["no tip", 100, 0],
  ])("gives %s", async (_, amount, tipAmount) => {
    const begun = await begins();
    expect(begun.message).toMatchObject({
      totalAmountInclVat: 100,
      tip: { percents: [10, 15], amounts: [20], custom: true, maximum: 30 },
    });
    expect(await read(begun.sessionID)).toMatchObject({ tip: { asked: true } });
    expect(await takes(begun, amount, tipAmount)).toMatchObject({
      status: "captured",
      tip: { asked: true, amount: tipAmount },
      amounts: { requested: 100, authorized: amount, captured: amount, tip: tipAmount },
      totalAmountInclVat: 100,
      totalVatAmount: 20,
    });
    expect(movements(await linesOf(begun.sessionID, 1))).toEqual([`capture ${amount} with ${tipAmount}`]);
  });

  it("who gave more than the maximum gets the money back, and the partner reads why", async () => {
    const begun = await begins();
    expect(await takes(begun, 130.01, 30.01)).toMatchObject({
      status: "voidRequested",
      statusReason: "amountMismatch",
      statusDetail: "130.01 SEK was taken for 100.00 SEK, and a tip can be at most 30.00 SEK",
    });
    counts("reversal", 130.01);
    await silent.sendReport(await silent.reach("void", begun.sessionID), "voided", { businessDay });
    await until(begun.sessionID, "voided");
  });

  it("spends a voucher, and may give less tip", async () => {
    const { code } = await webShopOn(stack).token();
    const begun = await begins();
    expect(await discount({ sessionID: begun.sessionID, voucherCode: code })).toMatchObject({ status: 202 });
    const offered = await silent.reach("discount", begun.sessionID);
    expect(offered).toMatchObject({ totalAmountInclVat: 50, tip: { amounts: [], maximum: 15 } });
    await silent.sendReport(offered, "discountApplied");
    expect(await takes(begun, 65, 15)).toMatchObject({
      status: "captured",
      totalAmountInclVat: 50,
      amounts: { discounted: 50, captured: 65, tip: 15 },
    });
  });

  it("is not asked by a terminal that cannot ask, or if no choice is left", async () => {
    const small = await begins({ totalAmountInclVat: 10, totalVatAmount: 2, tip: { amounts: [5], custom: false } });
    await takes(small, 10);
    await starts([]);
    const begun = await begins();
    await takes(begun, 100);
    await starts(["tips"]);
    for (const { message, sessionID } of [small, begun]) {
      expect(message).not.toHaveProperty("tip");
      expect((await read(sessionID)).tip).toEqual({ asked: false });
    }
  });
});

describe("a request", () => {
  it("with another question under the same session is a conflict, with or without a key", async () => {
    const begun = await begins();
    const other = { ...begun, message: undefined, tip: { ...tip, maximumPercent: 20 } };
    const conflict = { status: 409, body: { code: "session_conflict" } };
    for (const more of [{}, { "Idempotency-Key": randomUUID() }])
      expect(await refused("POST", "/pos-payment-request", other, more)).toMatchObject(conflict);
    expect(await pay({ ...other, tip })).toMatchObject({ status: 202 });
    await takes(begun, 100, 0);
  });

  it.each([
    [{ tip: { percents: [40] } }, "tip.percents.0"],
    [{ tipAmount: 10 }, "tipAmount"],
  ])("with %j is refused", async (more, field) => {
    expect(await refused("POST", "/pos-payment-request", request(more))).toMatchObject({
      status: 422,
      body: { errors: [{ field }] },
    });
  });

  it.each([null, 0, false])("with %j for a question asks for none", async (none) => {
    const begun = await begins({ tip: none });
    expect(begun.message).not.toHaveProperty("tip");
    expect(await takes(begun, 100)).not.toHaveProperty("tip");
  });
});

it("an operator names the tip of another amount, and the terminal that confirms it made one movement", async () => {
  const begun = await begins();
  const { message, sessionID } = begun;
  const { charges, sequence } = await takes(begun, 110, 10);
  counted.captured += 500;
  const says = () =>
    silent.sendReport(message, "captured", { chargeID: charges[0]?.chargeID, amount: 115, tipAmount: 15, businessDay });
  await says();
  const { shown } = operatorOf(stack);
  await waitFor("the alert", () => shown("alert", "show", sessionID).catch(() => undefined), { until: Boolean });
  const paid = ["--outcome", "paid", "--amount", "115", "--tip", "15", "--business-day", businessDay];
  const at = ["--partner", partner.partnerID, "--session", sessionID, "--sequence", String(sequence + 1)];
  await shown("payment", "resolve", ...at, ...paid, "--by", "ada", "--why", "the acquirer's list");
  expect(await read(sessionID)).toMatchObject({ amounts: { captured: 115, tip: 15 }, tip: { amount: 15 } });
  await says();
  expect(movements(await linesOf(sessionID, 4))).toEqual([
    "capture 110 with 10",
    "correction 5 with 5",
    "correction 5 with 5",
    "capture 5 with 5",
  ]);
});

it("a part is captured from the sale first, a refund gives the tip back last, and the day is equal", async () => {
  const begun = await begins({ captureMode: "manual" });
  const { sessionID } = begun;
  expect(await takes(begun, 115, 15)).toMatchObject({ status: "authorized", amounts: { authorized: 115, tip: 0 } });
  expect(await capture(begun, { captureAmount: 108 })).toMatchObject({ status: 202 });
  counts("capture", 108);
  await silent.sendReport(await silent.reach("capture", sessionID), "captured", { businessDay });
  expect(await until(sessionID, "captured")).toMatchObject({ tip: { amount: 15 }, amounts: { captured: 108, tip: 8 } });
  for (const amount of [90, 15]) {
    expect(await refund(begun, amount)).toMatchObject({ status: 202 });
    counts("refund", amount);
    const message = await silent.reach("refund", sessionID);
    await silent.sendReport(message, "refunded", { refundID: message.refundID, businessDay });
  }
  expect(movements(await linesOf(sessionID, 3))).toEqual([
    "capture 108 with 8",
    "refund 90 with 0",
    "refund 15 with 5",
  ]);

  const file = await fetch(`${stack.baseUrl}/settlements/${businessDay}/file`, { headers });
  const [names = "", ...lines] = (await file.text()).split("\r\n");
  expect(names.split(",").at(-1)).toBe("tipMinorUnits");
  const tips = lines.filter((line) => line.includes(sessionID)).map((line) => line.split(",").at(-1));
  expect(tips).toEqual(["800", "0", "500"]);

  const day = async () =>
    (await send<TerminalDayObject>("GET", `/pointOfServices/${pointOfServiceID}/days/${businessDay}`)).body;
  const { captured, refunded, reversed } = counted;
  const major = { captured: captured / 100, refunded: refunded / 100, reversed: reversed / 100 };
  const totals = [{ currency: "SEK", ...counted, ...major }];
  expect(await silent.client.closeDay({ closingID: randomUUID(), businessDay, totals })).toBe(200);
  expect(await waitFor("a day that is closed", day, { until: ({ status }) => status === "closed" })).toMatchObject({
    bookedTotals: totals,
  });
});
