import { describe, expect, it } from "vitest";
import { codeIn } from "../../../live/page/views/mails/code-in.ts";
import { standingOfCode } from "../../../live/page/views/mails/spent-code.ts";
import { callsLike, filterOf, queryOf } from "../../../live/page/views/requests/filter.ts";
import type { CallView } from "../../../live/views/calls.ts";
import type { PaymentDetail } from "../../../live/views/payments.ts";
import { shippedLanguages } from "../../../../../shared/adapters/mails/texts.ts";
import { writeTokenMail } from "../../../../../shared/adapters/mails/token-mail.ts";
import { aKey, aMail, CODE } from "../../../../../test/support/token-mails.ts";

const call = (id: string, more: Partial<CallView>): CallView => ({
  id,
  at: 0,
  api: "partners",
  operation: "pos-payment-request",
  method: "POST",
  path: "/pos-payment-request",
  status: 202,
  ms: 1,
  ...more,
});

describe("the list of requests", () => {
  const calls = [
    call("1", { sessionId: "aaaa-1" }),
    call("2", { status: 409, problem: "terminal_busy" }),
    call("3", { api: "terminals", operation: "report", path: "/terminals/report", status: 200 }),
  ];
  const found = (query: string) => callsLike(calls, filterOf(query)).map(({ id }) => id);

  it("can be filtered by the text of any of a request's names, by API, and by refusal", () => {
    expect(found("")).toEqual(["1", "2", "3"]);
    expect(found("text=AAAA")).toEqual(["1"]);
    expect(found("text=busy")).toEqual(["2"]);
    expect(found("api=terminals")).toEqual(["3"]);
    expect(found("refused=yes")).toEqual(["2"]);
    expect(found("refused=yes&api=terminals")).toEqual([]);
  });

  it("has the request that began last at its top, whatever ended last", () => {
    const begun = [call("ended last", { at: 3 }), call("began last", { at: 5 }), call("ended first", { at: 1 })];
    expect(callsLike(begun, filterOf("")).map(({ at }) => at)).toEqual([5, 3, 1]);
  });

  it("keeps its filter in the address as it was set", () => {
    for (const filter of [
      { text: "a&b=c %", api: "consumer", refused: true },
      { text: "", api: "", refused: false },
    ])
      expect(filterOf(queryOf(filter))).toEqual(filter);
  });
});

describe("the code in a mail", () => {
  it("is found in a mail as the platform writes it, in each of its languages", () => {
    for (const locale of shippedLanguages) {
      expect(codeIn(writeTokenMail(aMail({ locale })).text)).toBe(CODE);
      expect(codeIn(writeTokenMail(aKey({ locale })).text)).toBe(CODE);
    }
  });

  it("is not found in a mail without one", () => {
    expect(codeIn("Hello,\n\n  nothing is here.\n")).toBeUndefined();
  });
});

describe("a spent code", () => {
  it.each([
    ["inProgress", "requested", false, "The voucher is sent to the terminal, which has not taken 50.00 SEK off yet."],
    ["inProgress", "applied", false, "50.00 SEK off, now 75.50 SEK. The payment holds the voucher until it ends."],
    ["captured", "applied", false, "The voucher was used: 50.00 SEK off, now 75.50 SEK."],
    ["inProgress", "refused", true, "The terminal did not take 50.00 SEK off."],
    ["declined", "applied", true, "The payment is declined, and did not use the voucher."],
    ["captured", "requested", true, "The payment is captured. It is not known here whether 50.00 SEK was taken off."],
  ])("is told in amounts: a payment %s with a discount %s", (status, discount, mayBeSpent, sentence) => {
    const discounts = [{ discountId: "d1", amount: 5_000, status: discount }];
    const payment = { status, amount: 7_550, currency: "SEK", discounts } as unknown as PaymentDetail;
    expect(standingOfCode(payment, "d1")).toEqual({ sentence, mayBeSpent });
  });
});
