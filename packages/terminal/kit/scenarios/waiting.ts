import { setTimeout as sleep } from "node:timers/promises";
import type { Scenario } from "./scenario.ts";

/** The pauses between a refund and its withdrawal, in milliseconds. A terminal fetches a message at about these times. */
const PAUSES_MS = [0, 1, 2, 4, 8, 16];

/** Captures and refunds that wait for the terminal, and refunds that are withdrawn. */
export const waiting: readonly Scenario[] = [
  {
    name: "capture and refund after an absence",
    does: "A capture of a payment and two refunds of another are requested while the terminal has no power. One refund is withdrawn. Then the power is on, and the terminal carries out the others.",
    rules: ["T16", "T18"],
    digits: ["00"],
    async play({ approve, cutPower, powerOn, send, withdraw, answer, amountIs, newId, check }) {
      const sale = await approve();
      const returned = await approve("00", { captureMode: "automatic" });
      const { currency } = sale;
      await cutPower();
      const capture = send(sale.sessionID, { type: "capture", chargeId: sale.chargeID, amount: 6_000, currency });
      const of = { type: "refund", chargeId: returned.chargeID, currency, reason: "returned goods" } as const;
      const wanted = (amount: number) => send(returned.sessionID, { ...of, refundId: newId(), amount });
      const [refund, unwanted] = [wanted(6_000), wanted(4_000)];
      check("T1", withdraw(unwanted), "A message was fetched while the terminal had no power.");
      await powerOn("kept");
      amountIs(await answer(capture, ["captured"], "T16"), 6_000, currency, "T16");
      amountIs(await answer(refund, ["refunded"], "T18"), 6_000, currency, "T18");
    },
  },
  {
    name: "refund withdrawn",
    does: "Refunds are withdrawn at about the moment at which the terminal fetches them. The terminal makes each refund that it has fetched, and no other.",
    rules: ["T18"],
    digits: ["00"],
    async play({ approve, send, withdraw, answer, amountIs, newId, handedOut }) {
      const { sessionID, chargeID: chargeId, currency } = await approve("00", { captureMode: "automatic" });
      const of = { type: "refund", chargeId, currency, reason: "returned goods" } as const;
      const refund = (amount: number) => send(sessionID, { ...of, refundId: newId(), amount });
      withdraw(refund(1_000));
      for (const pause of PAUSES_MS) {
        const raced = refund(1_000);
        await sleep(pause);
        if (!withdraw(raced)) amountIs(await answer(raced, ["refunded"], "T18"), 1_000, currency, "T18");
      }
      const late = refund(1_000);
      await handedOut(late);
      withdraw(late);
      amountIs(await answer(late, ["refunded"], "T18"), 1_000, currency, "T18");
    },
  },
];
