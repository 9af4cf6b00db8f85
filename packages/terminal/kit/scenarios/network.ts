import type { TroubleKind } from "../troubles.ts";
import type { Scenario } from "./scenario.ts";

/** A scenario in which the report of the approval meets the trouble, and is retried under the same `reportID`. */
const troubled = (name: string, kind: TroubleKind, does: string): Scenario => ({
  name,
  does,
  rules: ["T3"],
  digits: ["00"],
  async play({ request, customer, accepted, trouble, until, of, check }) {
    trouble({ on: "report", type: "accepted", kind, times: 1 });
    trouble({ on: "report", type: "authorized", kind, times: 2 });
    const payment = request("00");
    customer("present a card that is approved");
    await accepted(payment, "T3");
    const approvals = () => of(payment.sessionID).filter(({ type }) => type === "authorized");
    await until("T3", "the report of the approval again", () => (approvals().length > 2 ? true : undefined));
    const ids = new Set(approvals().map(({ reportID }) => reportID));
    check("T3", ids.size === 1, `The approval was reported under ${ids.size} reportIDs: ${[...ids].join(", ")}.`);
    await until("T3", "the report of the approval", () => approvals().find(({ isTaken }) => isTaken));
  },
});

/** How often each report of the scenario `repeated cuts` is cut. */
const CUTS = 4;
const REPORTS = 6;

/**
 * Whether a terminal always waits equally long before the same attempt. A busy machine makes waits longer and never shorter, so the shortest
 * is compared with the fourth. Random waits fit with a probability below 1 %, and for three attempts below one in a million.
 */
function areAlike(waits: readonly number[]): boolean {
  const [shortest = 0, , , fourth = 0] = waits.toSorted((a, b) => a - b);
  return shortest > 0.8 * fourth;
}

/** Failures of the network or the platform, as a terminal sees them. */
export const network: readonly Scenario[] = [
  troubled("platform unavailable", "dependency_unavailable", "Reports get 503, and the terminal retries them."),
  troubled("too many requests", "rate_limited", "Reports get 429, and the terminal retries them."),
  troubled("connection cut", "cut", "The connection is cut before a report is accepted."),
  troubled("response lost", "lost", "A report is accepted, and its response is lost. The terminal retries the report."),
  troubled(
    "key refused",
    "invalid_credentials",
    "The key is refused for a moment, as in a rotation. The terminal retries every report.",
  ),
  {
    name: "repeated cuts",
    does: "Queries about unknown payments arrive. Each answer is cut four times. The waits before the repeats differ.",
    rules: ["T3"],
    digits: ["00"],
    async play({ trouble, standing, newId, of, platform, check }) {
      const waits: number[][] = [];
      for (let n = 0; n < REPORTS; n++) {
        const sessionID = newId();
        trouble({ on: "report", type: "notStarted", kind: "cut", times: CUTS });
        await standing(sessionID, ["notStarted"], "T3");
        const sent = of(sessionID).map(({ index }) => platform.exchanges[index]?.at ?? 0);
        waits.push(sent.slice(1, CUTS + 1).map((at, i) => at - (sent[i] ?? 0)));
      }
      // The first wait is too short to be measured on a busy machine.
      const attempts = Array.from({ length: CUTS - 1 }, (_, i) => waits.map((one) => one[i + 1] ?? 0));
      const shown = (waits[0] ?? []).map((ms) => `${Math.round(ms)} ms`).join(", ");
      check("T3", !attempts.every(areAlike), `Each of ${REPORTS} reports was repeated after the same waits: ${shown}.`);
    },
  },
  {
    name: "message lost",
    does: "Polls are cut, and the response that carries the payment is lost.",
    rules: ["T2"],
    digits: ["00"],
    async play({ trouble, platform, until, exchanges, approve }) {
      await approve(); // the next polls name its message
      trouble({ on: "next-message", kind: "lost", times: 2 });
      platform.hangUp(); // the poll that already waits would not meet the trouble
      await approve();
      const lost = () =>
        exchanges().filter(({ operation, status }) => operation === "next-message" && status === undefined);
      await until("T2", "another poll", () => (lost().length > 1 ? true : undefined));
    },
  },
  {
    name: "platform away",
    does: "Every call is cut while a card is charged. Then calls succeed again. If the approval says how long ago it was, each sending says it anew.",
    rules: ["T2", "T3", "T25"],
    digits: ["07"],
    async play({ request, customer, accepted, trouble, calm, until, of, ended, standing }) {
      const payment = request("07");
      const { sessionID } = payment;
      await accepted(payment);
      trouble({ on: "all", kind: "cut", times: Infinity });
      customer("present a card that is approved");
      await until("T11", "the report of the approval", () => of(sessionID).find(({ type }) => type === "authorized"));
      calm();
      await ended(payment, ["authorized"], "T3");
      await standing(sessionID, ["authorized"], "T2");
    },
  },
];
