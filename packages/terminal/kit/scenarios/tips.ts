import { fromMinorUnits } from "../../../../shared/domain/money.ts";
import { ASKS_TIPS, type TipChoices } from "../../../../shared/domain/payment/record/tip.ts";
import type { Payment } from "../payment.ts";
import type { ReceivedReport } from "../received-report.ts";
import type { Scene } from "../scene.ts";
import type { Scenario } from "./scenario.ts";

const asks = (maximum: number, percents: readonly number[] = []): TipChoices => ({
  percents: percents.slice(),
  amounts: [],
  custom: true,
  maximum,
});

/** Waits for the approval, and checks that it names a tip of the question, in addition to this amount to pay. Returns the charge. */
async function tipped(scene: Scene, payment: Payment, { maximum }: TipChoices, total = payment.total) {
  const { ended, amountIs, check } = scene;
  const { currency } = payment;
  const end = await ended(payment, ["authorized"], "T11");
  const tip = tipIn(end, maximum);
  const shown = JSON.stringify(end.body["tipAmount"]);
  const most = fromMinorUnits(maximum, currency);
  check("T26", tip !== undefined, `The tipAmount of authorized is ${shown} instead of a tip of at most ${most}.`);
  const amount = total + (tip ?? 0);
  amountIs(end, amount, currency, "T26");
  return { chargeId: end.chargeID ?? "", amount, currency };
}

/** The named tip in minor units of a currency with two decimals. Undefined if there is none, or if it is above the maximum. */
function tipIn({ body: { tipAmount } }: ReceivedReport, maximum: number): number | undefined {
  const tip = typeof tipAmount === "number" ? Math.round(tipAmount * 100) : 0;
  return tip > 0 && tip <= maximum ? tip : undefined;
}

/** The question for a tip, by terminals that can ask it. */
export const tips: readonly Scenario[] = (
  [
    {
      name: "tip",
      does: "The customer adds a tip of 10 %. Then all of the charge is captured.",
      rules: ["T26", "T16"],
      async play(scene) {
        const { request, accepted, customer, send, answer, amountIs } = scene;
        const question = asks(3_000, [5, 10]);
        const payment = request("21", { tip: question });
        await accepted(payment);
        customer("add a tip of 10 %, then present a card that is approved");
        const charge = await tipped(scene, payment, question);
        const { amount, currency } = charge;
        const captured = await answer(send(payment.sessionID, { type: "capture", ...charge }), ["captured"], "T16");
        amountIs(captured, amount, currency, "T16");
      },
    },
    {
      name: "largest tip",
      does: "The customer wants to add a tip of 10 %, but the maximum is less.",
      rules: ["T26"],
      async play(scene) {
        const { request, accepted, customer } = scene;
        const question = asks(500);
        const payment = request("21", { tip: question });
        await accepted(payment);
        customer("try to add a tip of 10 %, then add the largest possible tip, and present a card that is approved");
        await tipped(scene, payment, question);
      },
    },
    {
      name: "no question for a tip",
      does: "A payment without `tip` arrives. The terminal does not ask.",
      rules: ["T26"],
      async play({ request, accepted, customer, ended, amountIs, check }) {
        const payment = request("21");
        await accepted(payment);
        customer("present a card that is approved; the terminal must not ask for a tip");
        const end = await ended(payment, ["authorized"], "T11");
        amountIs(end, payment.total, payment.currency, "T26");
        const { tipAmount = 0 } = end.body;
        check("T26", tipAmount === 0, `authorized has the tipAmount ${JSON.stringify(tipAmount)}, without a question.`);
      },
    },
    {
      name: "tip after a discount",
      does: "A discount lowers the amount to pay and the largest tip, before the customer adds a tip.",
      rules: ["T26", "T13"],
      async play(scene) {
        const { request, accepted, customer, send, answer, newId } = scene;
        const payment = request("21", { tip: asks(3_000, [10]) });
        const { sessionID, currency, total } = payment;
        await accepted(payment);
        const tip = asks(300);
        const discount = { discountId: newId(), amount: 2_000, newTotal: total - 2_000, currency, tip };
        await answer(send(sessionID, { type: "discount", ...discount }), ["discountApplied"], "T13");
        customer("add the largest possible tip, then present a card that is approved");
        await tipped(scene, payment, tip, discount.newTotal);
      },
    },
  ] satisfies readonly Omit<Scenario, "needs" | "digits">[]
).map((scenario) => ({ ...scenario, needs: ASKS_TIPS, digits: ["21"] }));
