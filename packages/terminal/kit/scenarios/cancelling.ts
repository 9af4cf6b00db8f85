import type { Scenario } from "./scenario.ts";

/** Payments that are cancelled, expired or doubtful. */
export const cancelling: readonly Scenario[] = [
  {
    name: "cancel in time",
    does: "A cancel arrives before the card.",
    rules: ["T12", "T7"],
    digits: ["07"],
    async play({ request, accepted, send, ended, answer, standing }) {
      const payment = request("07");
      await accepted(payment);
      send(payment.sessionID, { type: "cancel" });
      await ended(payment, ["cancelled"], "T12");
      await standing(payment.sessionID, ["cancelled"]);
      await answer(send(payment.sessionID, { type: "cancel" }), ["cancelled"], "T12");
    },
  },
  {
    name: "cancel too late",
    does: "A cancel arrives while the card is charged: the card wins, and the charge is voided.",
    rules: ["T12", "T17"],
    digits: ["09"],
    async play({ request, customer, accepted, send, ended, answer, amountIs }) {
      const payment = request("09");
      const { sessionID, total, currency } = payment;
      customer("insert a card that is approved slowly, and leave it in");
      await accepted(payment);
      send(sessionID, { type: "cancel" });
      const end = await ended(payment, ["authorized"], "T12");
      amountIs(end, total, currency);
      const { chargeID: chargeId = "" } = end;
      await answer(send(sessionID, { type: "void", chargeId, amount: total, currency }), ["voided"], "T17");
    },
  },
  {
    name: "cancel before the payment",
    does: "A cancel arrives for a session that the terminal never got. Its payment arrives later.",
    rules: ["T12", "T10"],
    digits: ["00"],
    async play({ newId, send, answer, request }) {
      const sessionID = newId();
      await answer(send(sessionID, { type: "cancel" }), ["notStarted"], "T12");
      await answer(request("00", { sessionID, charges: 0, once: "T10" }).filed, ["notStarted"], "T10");
    },
  },
  {
    name: "expired payment",
    does: "A payment arrives after its time to start. Then the same session arrives with enough time.",
    rules: ["T9", "T10"],
    digits: ["00"],
    async play({ request, answer }) {
      const late = request("00", { expiresInMs: 0, charges: 0, once: "T9" });
      await answer(late.filed, ["notStarted"], "T9");
      await answer(request("00", { ...late, expiresInMs: 60_000, once: "T10" }).filed, ["notStarted"], "T10");
    },
  },
  {
    name: "status query",
    does: "Queries about a payment before and after its end, and about a payment that arrives after its query.",
    rules: ["T7", "T10"],
    digits: ["00", "07"],
    async play({ request, customer, accepted, standing, ended, answer, newId, check }) {
      const payment = request("07");
      await accepted(payment);
      await standing(payment.sessionID, ["stillRunning"]);
      customer("present a card that is approved");
      const { chargeID } = await ended(payment, ["authorized"], "T11");
      const { chargeID: again } = await standing(payment.sessionID, ["authorized"]);
      check("T7", again === chargeID, `The query was answered with the charge ${again} instead of ${chargeID}.`);
      const sessionID = newId();
      await standing(sessionID, ["notStarted"]);
      await answer(request("00", { sessionID, charges: 0, once: "T10" }).filed, ["notStarted"], "T10");
    },
  },
];
