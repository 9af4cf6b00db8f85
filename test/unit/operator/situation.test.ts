import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { shortMoney } from "../../../infra/operator/common/money-text.ts";
import { because } from "../../../infra/operator/common/reasons.ts";
import { situationOf } from "../../../infra/operator/common/situation.ts";
import { shownMoney } from "../../../shared/domain/money.ts";
import { merchantMoney } from "../../../shared/domain/payment/operator/merchant-money.ts";
import { isGivenBack } from "../../../shared/domain/payment/record/charge.ts";
import { payableAmount } from "../../../shared/domain/payment/record/payment.ts";
import { aPaymentAs } from "./a-payment-as.ts";

/** The situations that the simulated worlds reached, sorted, one a line. `npm run simulate -- --situations` writes them (docs/testing.md). */
const situations = readFileSync(new URL("situations.txt", import.meta.url), "utf8")
  .trimEnd()
  .split("\n");

const facts = situations.map((situation) => {
  const payment = aPaymentAs(situation);
  return { situation, payment, money: merchantMoney(payment), text: because(payment) };
});
const those = (isMeant: (of: (typeof facts)[number]) => boolean) => facts.filter(isMeant);

describe("an operator's text about a payment", () => {
  it.each(facts)("describes the situation itself: $situation", ({ situation, payment, text }) => {
    expect(situationOf(payment)).toBe(situation);
    expect(text).toMatch(new RegExp(`^It is ${payment.status}(:| because) `));
  });

  it.each(
    those(({ money, payment }) => money.own !== "known" || payment.charges.some((charge) => !isGivenBack(charge))),
  )("does not deny money while a charge may hold some: $situation", ({ text }) => {
    expect(text).not.toMatch(/no money|nothing|no card|not paid|not charged/i);
  });

  it.each(those(({ money }) => money.own === "unknown"))(
    "says that the merchant's money is unknown: $situation",
    ({ text, payment }) => {
      expect(text).toMatch(/is not known how much the merchant has/i);
      expect(shortMoney(payment)).toMatch(/^unknown of /);
    },
  );

  it.each(those(({ money }) => money.own !== "unknown"))(
    "names the merchant's amount, without a doubt: $situation",
    ({ text, payment, money }) => {
      expect(text).not.toMatch(/not known how much|does not guess/i);
      const said = /merchant has (no money|-?[\d.]+ SEK)/.exec(text)?.[1];
      expect(said === "no money" ? "0.00 SEK" : said).toBe(shownMoney(money.held, payment.currency));
      expect(shortMoney(payment)).toContain(shownMoney(money.held, payment.currency).replace(" SEK", ""));
    },
  );

  it.each(those(({ money }) => money.open.length > 0))(
    "names each amount that is open: $situation",
    ({ text, money }) => {
      for (const { amount, currency } of money.open) expect(text).toContain(shownMoney(amount, currency));
    },
  );

  it.each(those(({ money }) => money.captured > 0))(
    "names the payable amount only if something else than it and the tip was captured: $situation",
    ({ text, payment, money }) => {
      const named = `the amount to pay was ${shownMoney(payableAmount(payment), payment.currency)}`;
      expect(text.includes(named)).toBe(money.captured - money.tip !== payableAmount(payment));
    },
  );

  it.each(
    those(({ situation, money }) => situation.includes(" tip=") && (money.own !== "unknown" || money.captured > 0)),
  )("names the tip in the amounts that it names: $situation", ({ text, situation }) => {
    const named = situation.includes("tip=authorized")
      ? "was authorized, 10.00 SEK of it tip"
      : ", 10.00 SEK of it tip";
    expect(text).toContain(named);
  });

  it.each(those(({ payment }) => payment.charges.some(({ status }) => status === "kept")))(
    "names a charge that the merchant keeps: $situation",
    ({ text, payment }) => {
      expect(text).not.toMatch(/never kept|not keep/);
      for (const { amount, status } of payment.charges)
        if (status === "kept") expect(text).toContain(`The merchant keeps a charge of ${shownMoney(amount, "SEK")}`);
    },
  );

  it.each(those(({ situation }) => situation.includes(":contradicted")))(
    "says that the terminal reported a void of the charge: $situation",
    ({ text, payment }) => {
      for (const { amount, currency, status, contradicted } of payment.charges)
        if (contradicted)
          expect(text).toContain(
            `A charge of ${shownMoney(amount, currency)} is ${status}, but the terminal reported a void`,
          );
    },
  );

  it.each(those(({ situation }) => situation.includes("authorized:captured")))(
    "names the amount of a capture that nobody requested: $situation",
    ({ text, payment }) => {
      for (const { status, captured, currency } of payment.charges)
        if (status === "authorized") expect(text).toContain(`capture of ${shownMoney(captured ?? 0, currency)}`);
    },
  );

  it.each(those(({ payment }) => payment.statusDetail !== undefined))(
    "names the source of its quotes: $situation",
    ({ text, payment }) => {
      const { statusReason: reason } = payment;
      expect(text.includes("operator's note")).toBe(reason === "settledByOperator");
      expect(text.includes("terminal's words")).toBe(reason !== "settledByOperator" && reason !== "amountMismatch");
    },
  );
});
