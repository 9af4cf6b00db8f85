import type { Scenario } from "./scenario.ts";

const currencies = [
  { currency: "JPY", total: 1_500 },
  { currency: "KWD", total: 12_500 },
] as const;

/** A payment and its end. */
export const paying: readonly Scenario[] = [
  {
    name: "approval",
    does: "A payment is accepted and approved.",
    rules: ["T8", "T11", "T15"],
    digits: ["00"],
    async play({ approve, standing, check }) {
      const { sessionID, chargeID } = await approve();
      const { chargeID: again } = await standing(sessionID, ["authorized"]);
      check("T7", again === chargeID, `The query was answered with the charge ${again} instead of ${chargeID}.`);
    },
  },
  {
    name: "decline",
    does: "The card is declined.",
    rules: ["T11"],
    digits: ["01"],
    async play({ request, customer, accepted, ended, standing }) {
      const payment = request("01");
      customer("present a card that is declined");
      await accepted(payment);
      await ended(payment, ["declined"], "T11");
      await standing(payment.sessionID, ["declined"]);
    },
  },
  {
    name: "customer cancels",
    does: "The customer cancels at the terminal.",
    rules: ["T11"],
    digits: ["04"],
    async play({ request, customer, accepted, ended }) {
      const payment = request("04");
      customer("cancel at the terminal");
      await accepted(payment);
      await ended(payment, ["cancelled"], "T11");
    },
  },
  {
    name: "other currencies",
    does: "Amounts in currencies without decimals and with three.",
    rules: ["T4", "T15"],
    digits: ["00"],
    async play({ approve }) {
      for (const options of currencies) await approve("00", options);
    },
  },
  {
    name: "second card",
    does: "A second card is charged, and its charge is returned by its `chargeID`. Then the first charge is returned.",
    rules: ["T15", "T17", "T7"],
    digits: ["15"],
    async play({ request, customer, accepted, until, of, send, answer, standing, check }) {
      const payment = request("15", { charges: 2 });
      const { sessionID, total: amount, currency } = payment;
      customer("present a card that is approved, and then a second one for the same payment");
      await accepted(payment);
      const [first, second] = await until("T15", "the report of each of the two charges", () => {
        const ids = new Set(
          of(sessionID).flatMap((one) => (one.type === "authorized" && one.isTaken ? [one.chargeID] : [])),
        );
        return ids.size > 1 ? [...ids] : undefined;
      });
      const back = async (chargeId = "") => {
        const { chargeID } = await answer(
          send(sessionID, { type: "void", chargeId, amount, currency }),
          ["voided"],
          "T17",
        );
        check("T17", chargeID === chargeId, `The charge ${chargeID} was voided instead of ${chargeId}.`);
      };
      await back(second);
      const { chargeID } = await standing(sessionID, ["authorized"]);
      check("T7", chargeID === first, `The query was answered with the charge ${chargeID} instead of ${first}.`);
      await back(first);
    },
  },
  {
    name: "late charge",
    does: "A card is charged after the payment was declined, and the charge is returned.",
    rules: ["T15", "T17"],
    digits: ["17"],
    async play({ request, customer, ended, until, of, send, answer }) {
      const payment = request("17");
      const { sessionID, total: amount, currency } = payment;
      customer("present a card that is declined, and then charged anyway");
      await ended(payment, ["declined"], "T11");
      const { chargeID: chargeId = "" } = await until("T15", "the report of the charge after the end", () =>
        of(sessionID).find((one) => one.type === "authorized" && one.isTaken),
      );
      await answer(send(sessionID, { type: "void", chargeId, amount, currency }), ["voided"], "T17");
    },
  },
  {
    name: "discount",
    does: "A discount arrives before the card, and another after the end.",
    rules: ["T13"],
    digits: ["07"],
    async play({ request, customer, accepted, send, answer, ended, amountIs, newId, check }) {
      const payment = request("07");
      const { sessionID, currency, total } = payment;
      await accepted(payment);
      const discount = (newTotal: number) => ({ discountId: newId(), amount: 2_000, newTotal, currency });
      const [first, second] = [discount(total - 2_000), discount(total - 4_000)];
      const applied = await answer(send(sessionID, { type: "discount", ...first }), ["discountApplied"], "T13");
      const isNamed = String(applied.body["discountID"]).toLowerCase() === first.discountId;
      check("T13", isNamed, "discountApplied does not name its discountID.");
      customer("present a card that is approved");
      amountIs(await ended(payment, ["authorized"], "T11"), first.newTotal, currency, "T13");
      await answer(send(sessionID, { type: "discount", ...second }), ["discountRefused"], "T13");
    },
  },
  ...(["accepted", "declined"] as const).map((responseCode): Scenario => ({
    name: `action request ${responseCode}`,
    does: `The terminal asks the partner before the customer may pay. The partner's answer is ${responseCode}.`,
    rules: ["T14"],
    digits: ["14"],
    async play({ platform, request, customer, accepted, until, answer, ended, newId, check }) {
      const before = platform.raised().length;
      const payment = request("14");
      customer("make the terminal ask the partner, then present a card that is approved");
      await accepted(payment);
      const raised = await until("T14", "an action request", () => platform.raised()[before]);
      const about = raised.actionRequestID.toLowerCase();
      const message = { type: "actionAnswer", actionRequestId: raised.actionRequestID, responseCode } as const;
      const got = await answer(platform.file({ messageId: newId(), about, message }), ["acknowledged"], "T14");
      check("T14", String(got.body["actionRequestID"]).toLowerCase() === about, "It names another action request.");
      await ended(payment, responseCode === "accepted" ? ["authorized"] : ["declined", "cancelled"], "T14");
    },
  })),
];
