import { setTimeout as sleep } from "node:timers/promises";
import type { Scenario } from "./scenario.ts";

/** The time within which a payment may begin, in the scenario with a longer power cut. */
const SHORT_MS = 1_500;

/** Starts, and power cuts at the worst moments. */
export const powerCuts: readonly Scenario[] = [
  {
    name: "start",
    does: "The terminal is switched on. It reports its start before anything else.",
    rules: ["T1"],
    digits: ["00"],
    async play({ cutPower, powerOn, approve }) {
      await cutPower();
      await powerOn();
      await approve();
    },
  },
  {
    name: "start without an answer",
    does: "The first three reports of the start get no response, 503 and 401.",
    rules: ["T1", "T3"],
    digits: ["00"],
    async play({ cutPower, powerOn, trouble, approve }) {
      await cutPower();
      for (const kind of ["cut", "dependency_unavailable", "invalid_credentials"] as const)
        trouble({ on: "report", type: "started", kind, times: 1 });
      await powerOn("kept");
      await approve();
    },
  },
  {
    name: "restart",
    does: "The power is cut after an approval. Then the payment's message arrives again, followed by a query and a capture.",
    rules: ["T1", "T5", "T7"],
    digits: ["00"],
    async play({ approve, cutPower, powerOn, repeat, until, reports, standing, send, answer, check }) {
      const { sessionID, filed, chargeID, total: amount, currency } = await approve("00", { once: "T5" });
      await standing(sessionID, ["authorized"]); // from here on, no report of the payment is unanswered
      await cutPower();
      await powerOn("kept");
      const since = repeat(filed);
      const again = await until("T5", "the approval again", () =>
        reports()
          .slice(since)
          .find((one) => one.isTaken && one.type === "authorized" && one.answers === filed.messageId),
      );
      check(
        "T5",
        again.chargeID === chargeID,
        `The repeat was answered with the charge ${again.chargeID}, the first message with ${chargeID}.`,
      );
      const { chargeID: stands } = await standing(sessionID, ["authorized"]);
      check("T7", stands === chargeID, `The query was answered with the charge ${stands} instead of ${chargeID}.`);
      await answer(send(sessionID, { type: "capture", chargeId: chargeID, amount, currency }), ["captured"], "T16");
    },
  },
  {
    name: "power cut before the card",
    does: "The power is cut while the terminal waits for a card.",
    rules: ["T20", "T7"],
    digits: ["07"],
    async play({ request, accepted, cutPower, powerOn, send, answer, ended }) {
      const payment = request("07", { charges: 0, once: "T20" });
      await accepted(payment);
      await cutPower();
      await powerOn("kept");
      const query = send(payment.sessionID, { type: "statusQuery" });
      await ended(payment, ["failed", "cancelled"], "T20");
      await answer(query, ["failed", "cancelled"], "T7");
    },
  },
  {
    name: "power cut after the card",
    does: "The power is cut after the card was charged, and before a report of it was answered.",
    rules: ["T19", "T20", "T15"],
    digits: ["00"],
    async play({
      request,
      customer,
      accepted,
      trouble,
      calm,
      until,
      of,
      cutPower,
      powerOn,
      send,
      ended,
      answer,
      check,
    }) {
      const payment = request("00", { once: "T20" });
      const { sessionID } = payment;
      trouble({ on: "report", type: "authorized", kind: "dependency_unavailable", times: Infinity });
      customer("present a card that is approved");
      await accepted(payment);
      const first = await until("T11", "the report of the approval", () =>
        of(sessionID).find(({ type }) => type === "authorized"),
      );
      await cutPower();
      calm();
      await powerOn("kept");
      const query = send(sessionID, { type: "statusQuery" });
      const { chargeID } = await ended(payment, ["authorized"], "T20");
      check(
        "T20",
        chargeID === first.chargeID,
        `The charge is ${chargeID} after the power cut, and was ${first.chargeID} before it.`,
      );
      await until("T19", "the unanswered report under its old reportID", () =>
        of(sessionID).find(({ reportID, isTaken }) => reportID === first.reportID && isTaken),
      );
      await answer(query, ["authorized"], "T7");
    },
  },
  {
    name: "expired while off",
    does: "The power is cut after the payment was fetched. It returns after the payment's time to start.",
    rules: ["T9"],
    digits: ["06"],
    async play({ request, handedOut, cutPower, powerOn, standing }) {
      const payment = request("06", { expiresInMs: SHORT_MS, charges: 0, once: "T9" });
      await handedOut(payment.filed);
      await cutPower();
      await sleep(SHORT_MS);
      await powerOn("kept");
      await standing(payment.sessionID, ["notStarted", "failed", "cancelled"], "T9");
    },
  },
  {
    name: "memory lost",
    does: "The terminal starts without its memory. Then a query and a capture of an earlier payment arrive.",
    rules: ["T21"],
    digits: ["00"],
    async play({ approve, cutPower, forget, powerOn, standing, send, answer }) {
      const { sessionID, chargeID: chargeId, total: amount, currency } = await approve();
      await cutPower();
      await forget();
      await powerOn("lost", "T21");
      await standing(sessionID, ["notStarted"], "T21");
      await answer(send(sessionID, { type: "capture", chargeId, amount, currency }), ["captureFailed"], "T21");
    },
  },
];
