import type { Scenario } from "./scenario.ts";

/** Repeated and unknown messages. */
export const repeating: readonly Scenario[] = [
  {
    name: "repeated message",
    does: "The payment's message arrives again after the payment's end. A capture's message arrives again, too.",
    rules: ["T5"],
    digits: ["00"],
    async play({ approve, repeat, until, reports, send, answer, amountIs, check }) {
      const { sessionID, filed, chargeID: chargeId, total, currency } = await approve("00", { once: "T5" });
      const since = repeat(filed);
      const again = await until("T5", "the approval again", () =>
        reports()
          .slice(since)
          .find((one) => one.isTaken && one.type === "authorized" && one.answers === filed.messageId),
      );
      check(
        "T5",
        again.chargeID === chargeId,
        `The repeat was answered with the charge ${again.chargeID}, the first message with ${chargeId}.`,
      );
      const capture = send(sessionID, { type: "capture", chargeId, amount: total, currency });
      await answer(capture, ["captured"], "T16");
      amountIs(await answer(capture, ["captured"], "T5", repeat(capture)), total, currency, "T5");
    },
  },
  {
    name: "session requested again",
    does: "Another message requests a session that has ended, in capitals.",
    rules: ["T8"],
    digits: ["00"],
    async play({ approve, request, answer, check }) {
      const { sessionID, chargeID } = await approve("00", { once: "T8" });
      const again = request("00", { sessionID: sessionID.toUpperCase(), once: "T8" });
      const { chargeID: second } = await answer(again.filed, ["authorized"], "T8");
      check("T8", second === chargeID, `It was answered with the charge ${second} instead of ${chargeID}.`);
    },
  },
  {
    name: "unknown message",
    does: "A message with an unknown type and unknown members arrives. Then the terminal continues.",
    rules: ["T6"],
    digits: ["00"],
    async play({ approve, send, answer, standing }) {
      const { sessionID, total: amount, currency } = await approve();
      const like = { type: "refund", refundId: sessionID, amount, currency, reason: "none" } as const;
      await answer(send(sessionID, like, { unknownType: "laterMessage" }), ["acknowledged"], "T6");
      await standing(sessionID, ["authorized"], "T6");
    },
  },
];
