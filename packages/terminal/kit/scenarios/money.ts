import { fromMinorUnits } from "../../../../shared/domain/money.ts";
import type { ReceivedReport } from "../received-report.ts";
import type { Scenario } from "./scenario.ts";

/** Captures, voids and refunds of an approved payment. */
export const money: readonly Scenario[] = [
  {
    name: "capture",
    does: "A part of the charge is captured; another message requests the same.",
    rules: ["T16", "T7"],
    digits: ["00"],
    async play({ approve, send, answer, amountIs, standing }) {
      const { sessionID, chargeID: chargeId, currency } = await approve();
      const capture = { type: "capture", chargeId, amount: 6_000, currency } as const;
      amountIs(await answer(send(sessionID, capture), ["captured"], "T16"), 6_000, currency, "T16");
      amountIs(await answer(send(sessionID, capture), ["captured"], "T16"), 6_000, currency, "T16");
      await standing(sessionID, ["captured"]);
    },
  },
  {
    name: "void",
    does: "An authorized charge is voided; another message requests the same.",
    rules: ["T17", "T7"],
    digits: ["00"],
    async play({ approve, send, answer, standing, check }) {
      const { sessionID, chargeID: chargeId, total: amount, currency } = await approve();
      for (let i = 0; i < 2; i++) {
        const { chargeID } = await answer(
          send(sessionID, { type: "void", chargeId, amount, currency }),
          ["voided"],
          "T17",
        );
        check("T17", chargeID === chargeId, `The charge ${chargeID} was voided instead of ${chargeId}.`);
      }
      await standing(sessionID, ["voided"]);
    },
  },
  {
    name: "refund",
    does: "A part of an automatically captured payment is refunded, in two refunds.",
    rules: ["T18", "T7"],
    digits: ["00"],
    async play({ approve, send, answer, amountIs, referencesAreOwn, newId, check }) {
      const { sessionID, chargeID: chargeId, currency } = await approve("00", { captureMode: "automatic" });
      const before: ReceivedReport[] = [];
      for (const amount of [6_000, 4_000]) {
        const refundId = newId();
        const refund = { type: "refund", refundId, chargeId, amount, currency, reason: "returned goods" } as const;
        const made = await answer(send(sessionID, refund), ["refunded"], "T18");
        amountIs(made, amount, currency, "T18");
        check("T18", String(made.body["refundID"]).toLowerCase() === refundId, "refunded does not name its refundID.");
        referencesAreOwn(made, before, "T18");
        before.push(made);
        await answer(send(sessionID, { type: "statusQuery", refundId }), ["refunded"], "T7");
      }
    },
  },
  {
    name: "refund requested again",
    does: "A query arrives before the first request of a refund. Another message requests the same `refundID`, in capitals.",
    rules: ["T18", "T7"],
    digits: ["00"],
    async play({ approve, send, answer, amountIs, newId, check }) {
      const { sessionID, chargeID: chargeId, currency } = await approve("00", { captureMode: "automatic" });
      const refundId = newId();
      // Two of these are less than the charge: only T18 forbids the second one.
      const refund = { type: "refund", refundId, chargeId, amount: 4_000, currency, reason: "returned goods" } as const;
      await answer(send(sessionID, { type: "statusQuery", refundId }), ["refundFailed"], "T7");
      const first = await answer(send(sessionID, refund), ["refunded"], "T18");
      const again = await answer(send(sessionID, { ...refund, refundId: refundId.toUpperCase() }), ["refunded"], "T18");
      amountIs(again, refund.amount, currency, "T18");
      const references = [first, again].map(({ body }) => JSON.stringify(body["acquirer"]));
      check(
        "T18",
        references[0] === references[1],
        "The second answer has other references of the acquirer: money moved again.",
      );
    },
  },
  {
    name: "refund of too much",
    does: "A charge is refunded in part. A refund under a new `refundID` requests more than is left, and is requested again. Then the rest is refunded.",
    rules: ["T24", "T18"],
    digits: ["00"],
    async play({ approve, send, answer, amountIs, newId }) {
      const { sessionID, chargeID: chargeId, currency } = await approve("00", { captureMode: "automatic" });
      const of = { type: "refund", chargeId, currency, reason: "returned goods" } as const;
      const refund = (amount: number) => ({ ...of, refundId: newId(), amount });
      await answer(send(sessionID, refund(6_000)), ["refunded"], "T18");
      const tooMuch = refund(4_001);
      for (let i = 0; i < 2; i++) await answer(send(sessionID, tooMuch), ["refundFailed"], "T24");
      amountIs(await answer(send(sessionID, refund(4_000)), ["refunded"], "T24"), 4_000, currency, "T24");
    },
  },
  {
    name: "refund without a capture",
    does: "A refund arrives before the capture, and another requests more than was captured. A refund of another charge arrives after its void.",
    rules: ["T24"],
    digits: ["00"],
    async play({ approve, send, answer, newId }) {
      const { sessionID, chargeID: chargeId, currency } = await approve();
      const refund = (amount: number) =>
        ({ type: "refund", refundId: newId(), chargeId, amount, currency, reason: "returned goods" }) as const;
      await answer(send(sessionID, refund(6_000)), ["refundFailed"], "T24");
      await answer(send(sessionID, { type: "capture", chargeId, amount: 6_000, currency }), ["captured"], "T16");
      await answer(send(sessionID, refund(6_001)), ["refundFailed"], "T24");

      const other = await approve("00", { captureMode: "automatic" });
      const of = { chargeId: other.chargeID, amount: other.total, currency };
      await answer(send(other.sessionID, { type: "void", ...of }), ["voided"], "T17");
      await answer(send(other.sessionID, { ...refund(of.amount), ...of }), ["refundFailed"], "T24");
    },
  },
  {
    name: "unknown charge",
    does: "A capture, a void and a refund name a charge that the terminal never made.",
    rules: ["T21"],
    digits: ["00"],
    async play({ approve, send, answer, newId }) {
      const { sessionID, currency, total: amount } = await approve();
      const of = { chargeId: newId(), amount, currency };
      await answer(send(sessionID, { type: "capture", ...of }), ["captureFailed"], "T21");
      await answer(send(sessionID, { type: "void", ...of }), ["voidFailed"], "T21");
      const refund = {
        type: "refund",
        refundId: newId(),
        reason: `${fromMinorUnits(amount, currency)} too much`,
        ...of,
      } as const;
      await answer(send(sessionID, refund), ["refundFailed"], "T21");
    },
  },
];
