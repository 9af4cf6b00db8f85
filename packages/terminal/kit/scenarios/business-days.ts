import { isDeepStrictEqual } from "node:util";
import { dayTotalsBody } from "../../../../shared/contracts/requests/day-totals.ts";
import { describeDifferences, differencesOf, type Movement } from "../../../../shared/domain/terminal-day/totals.ts";
import type { Exchange } from "../exchange.ts";
import type { Payment } from "../payment.ts";
import type { Scene } from "../scene.ts";
import { membersOf, type ReceivedReport } from "../received-report.ts";
import type { Scenario } from "./scenario.ts";

/** A movement of money that the kit caused, and its report. */
interface Made {
  readonly movement: Movement;
  readonly report: ReceivedReport;
}

const closingsOf = ({ exchanges }: Scene): readonly Exchange[] =>
  exchanges().filter(({ operation }) => operation === "day-totals");

const isRefused = ({ isTaken, status = 0 }: Exchange): boolean =>
  !isTaken && status >= 400 && status < 500 && ![401, 408, 429].includes(status);

/** Waits for the first closing that matches. */
async function closing(scene: Scene, what: string, fits: (one: Exchange) => boolean): Promise<Exchange> {
  const found = await scene.until("T23", what, () => closingsOf(scene).find(fits));
  scene.check("T23", !isRefused(found), `The closing was refused: ${found.status} ${found.body}`);
  return found;
}

/** Completes a payment that is captured at once. */
async function paid(scene: Scene, digits: string, total: number): Promise<Payment & Made & { chargeID: string }> {
  const payment = await scene.approve(digits, { captureMode: "automatic", total });
  const { sessionID, chargeID, currency } = payment;
  const report = await scene.until("T11", "the report of the approval", () =>
    scene.of(sessionID).find(({ type, isTaken }) => type === "authorized" && isTaken),
  );
  return {
    ...payment,
    movement: { kind: "capture", amount: total, currency, chargeId: chargeID, sessionId: sessionID },
    report,
  };
}

/** Completes a payment after whose approval the terminal closes the day, by itself or at a person's request. */
async function paidLast(scene: Scene): Promise<Made> {
  const made = await paid(scene, "20", 10_020);
  scene.customer("have the terminal close its business day");
  return made;
}

async function refunded(scene: Scene, of: Payment & { chargeID: string }, amount: number): Promise<Made> {
  const { sessionID, chargeID: chargeId, currency } = of;
  const refundId = scene.newId();
  const refund = { type: "refund", refundId, chargeId, amount, currency, reason: "returned goods" } as const;
  const report = await scene.answer(scene.send(sessionID, refund), ["refunded"], "T18");
  return { movement: { kind: "refund", amount, currency, chargeId, refundId, sessionId: sessionID }, report };
}

async function givenBack(scene: Scene, of: Payment & { chargeID: string }): Promise<Made> {
  const { sessionID, chargeID: chargeId, total: amount, currency } = of;
  const report = await scene.answer(
    scene.send(sessionID, { type: "void", chargeId, amount, currency }),
    ["voided"],
    "T17",
  );
  return { movement: { kind: "reversal", amount, currency, chargeId, sessionId: sessionID }, report };
}

/** Checks that the totals match the movements whose reports name this day. */
function totalsAre({ check }: Scene, { sent }: Exchange, made: readonly Made[]): void {
  const { day, totals, lastChargeId } = dayTotalsBody.parse(sent);
  const ofDay = made.filter(({ report }) => report.body["businessDay"] === day).map(({ movement }) => movement);
  const differences = differencesOf({ totals, lastChargeId }, ofDay);
  check("T23", differences.length === 0, `The totals of ${day} differ: ${describeDifferences(differences)}.`);
}

/** Scenarios about closing a business day. */
export const businessDays: readonly Scenario[] = [
  {
    name: "day closed",
    does: "A terminal without memory takes payments, returns money, and closes its day. The response is lost. The terminal takes another payment, and closes the day again.",
    rules: ["T22", "T23"],
    digits: ["00", "20"],
    async play(scene) {
      const { approve, calm, check, cutPower, forget, powerOn, trouble } = scene;
      await cutPower();
      await forget();
      await powerOn("lost", "T21"); // its totals must not include what it counted before this scenario
      trouble({ on: "day-totals", kind: "lost", times: 1 });
      await approve("00"); // is not captured: totals do not count it
      const refundable = await paid(scene, "00", 30_000);
      const voidable = await paid(scene, "00", 20_000);
      const before = [refundable, voidable, await refunded(scene, refundable, 6_000), await givenBack(scene, voidable)];
      const made = [...before, await paidLast(scene)];
      for (const { report } of made)
        check("T22", typeof report.body["businessDay"] === "string", `${report.type} names no businessDay.`);

      const first = await closing(scene, "the closing of the day", () => true);
      const again = await closing(scene, "the closing again, without a response", (one) => one !== first);
      const isSame = isDeepStrictEqual(again.sent, first.sent);
      check("T23", isSame, `The closing came again with a different body: ${JSON.stringify(again.sent)}.`);
      totalsAre(scene, again, made);

      calm();
      const all = [...made, await paidLast(scene)];
      const corrected = await closing(
        scene,
        "a closing with the totals after another payment",
        ({ sent }) => !isDeepStrictEqual(sent, first.sent),
      );
      const isNew = membersOf(corrected.sent)["closingID"] !== membersOf(first.sent)["closingID"];
      check("T23", isNew, "The corrected totals came under the closingID of the first ones.");
      totalsAre(scene, corrected, all);
    },
  },
];
