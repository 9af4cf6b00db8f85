import { setTimeout as sleep } from "node:timers/promises";
import { it } from "vitest";
import { followPayment } from "../../try/follow.ts";
import { endText } from "../../try/try-payment.ts";
import { scripted } from "../../try/amount.ts";
import { startAutopilot } from "../../../terminal/simulated/autopilot.ts";
import { approved, scriptList } from "../../../terminal/simulated/scripts.ts";
import { ABILITIES } from "../../../terminal/simulated/terminal.ts";
import type { TerminalClient, TerminalMessage } from "../../../terminal/simulated/terminal-client.ts";
import { toPaymentObject } from "../../../../shared/contracts/objects/payment.ts";
import { toTerminalDayObject } from "../../../../shared/contracts/objects/terminal-day.ts";
import { toTerminalMessage } from "../../../../shared/contracts/objects/terminal-message.ts";
import { toTimelineObject } from "../../../../shared/contracts/objects/timeline.ts";
import { dayTotalsBody } from "../../../../shared/contracts/requests/day-totals.ts";
import { raisedActionBody } from "../../../../shared/contracts/requests/raise-action-request.ts";
import { terminalReportBody } from "../../../../shared/contracts/requests/terminal-report.ts";
import { dayOf } from "../../../../shared/domain/time.ts";
import { raiseActionRequest } from "../../../../shared/use-cases/action-requests/raise-action-request.ts";
import { respondToActionRequest } from "../../../../shared/use-cases/action-requests/respond-to-action-request.ts";
import { readTimeline } from "../../../../shared/use-cases/payments/read-timeline.ts";
import { recordReport } from "../../../../shared/use-cases/payments/record-report.ts";
import { readDay } from "../../../../shared/use-cases/terminal-days/read-day.ts";
import { recordTotals } from "../../../../shared/use-cases/terminal-days/record-totals.ts";
import { fetchNext, requested } from "../../../../test/support/a-payment.ts";
import { callFrom } from "../../../../test/support/calls.ts";
import { aPlatform, aTerminal, callBy, terminalId } from "../../../../test/support/platform.ts";

// `npm run try` on the platform's use cases in memory. Their clock stands still, and moves only for a wait that the script is about.

const demoTip = { percents: [10], amounts: [], custom: true, maximumPercent: 30 };

/** The autopilot's payment of this script: the event that it is about, the events that `npm run try` tells, and its last sentences. */
async function played(slug: string) {
  const { amount, captureMode, script } = scripted(125, { case: slug, terminal: "autopilot" });
  const platform = await aPlatform();
  const { deps } = platform;
  await deps.terminals.describe(terminalId, { can: ABILITIES });
  const tip = script?.tip === undefined ? undefined : demoTip;
  const payment = await requested(platform, aTerminal(), { amount: Math.round(amount * 100), captureMode, tip });
  const { sessionId } = payment;
  const told = new Set<string>();
  let last: Promise<unknown> = Promise.resolve();
  /** Makes one call, then carries out its effects. Calls wait for each other. */
  const called = <Result>(call: () => Promise<Result>, seconds = 0): Promise<Result> => {
    const made = last.then(async () => {
      const result = await call();
      await platform.pass(seconds);
      return result;
    });
    last = made;
    return made;
  };
  const terminalCall = () => callFrom(deps, aTerminal());
  const statusOf = ({ ok }: { readonly ok: boolean }) => (ok ? 200 : 422);
  const client: TerminalClient = {
    async next(_, { signal } = {}) {
      for (;;) {
        if (signal?.aborted !== false) return undefined;
        const row = await called(() => fetchNext(platform, terminalId));
        if (row) return toTerminalMessage(row, deps.clock.now()) as TerminalMessage;
        await sleep(5);
      }
    },
    async report(sent) {
      const read = terminalReportBody.parse(sent);
      return read.of === "payment"
        ? statusOf(await called(() => recordReport(deps, terminalCall(), read.sessionId, read.report)))
        : 200;
    },
    async raiseActionRequest(sent) {
      const asked = raisedActionBody.parse(sent);
      const raised = await called(() => raiseActionRequest(deps, terminalCall(), asked));
      told.add("actionRequest"); // the live page tells it, and the partner accepts it
      const { actionRequestId } = asked;
      await called(() => respondToActionRequest(deps, callBy(deps), { actionRequestId, responseCode: "accepted" }));
      return statusOf(raised);
    },
    closeDay: async (sent) =>
      statusOf(await called(() => recordTotals(deps, terminalCall(), dayTotalsBody.parse(sent)))),
  };
  const ofResult = <Value>(result: { readonly ok: true; readonly value: Value } | { readonly ok: false }): Value => {
    if (!result.ok) throw new Error("refused");
    return result.value;
  };
  /** The wait of the platform that the script is about. */
  const wait = async () => {
    const { status, charges } = await payment.now();
    if (script?.silent && status === "pending") return deps.timings.acceptanceSeconds + 1;
    return charges.some((charge) => charge.status === "reversing") ? deps.timings.retryVoidSeconds + 1 : 0;
  };
  const sent = async (call: () => Promise<unknown>) => ({ body: await called(call), requestId: "" });
  const partner = {
    async timeline() {
      const seconds = await wait();
      await called(async () => {}, seconds);
      return toTimelineObject(ofResult(await readTimeline(deps, callBy(deps), sessionId)));
    },
    payment: async () => toPaymentObject(await payment.now()),
    day: async () =>
      toTerminalDayObject(ofResult(await readDay(deps, callBy(deps), terminalId, dayOf(deps.clock.now())))),
    cancel: () => sent(payment.cancel),
    capture: () => sent(payment.capture),
    refund: () => sent(() => payment.refund(amount)),
  };
  const autopilot = startAutopilot(client, { paceMs: 2, today: () => dayOf(deps.clock.now()) });
  try {
    const ended = await followPayment({
      partner,
      payment: await partner.payment(),
      script,
      hasWebhooks: false,
      lines: { tell: ({ event }) => void told.add(event), has: (event) => told.has(event) },
      changes: {
        async within() {
          await sleep(20);
          return true;
        },
      },
      signal: new AbortController().signal,
    });
    return { shows: script?.shows, told: [...told], text: endText(ended) };
  } finally {
    await autopilot.stop();
  }
}

const captured = (amount: string): string =>
  `It is captured: the terminal reported that it was approved and captured. The merchant has ${amount} SEK from this payment`;
const reported = "because the terminal reported this outcome (terminalReported)";
const noMoney = "The merchant has no money from this payment.";

/** The last sentences of each script. They name every charge that was given back. */
const endings: Readonly<Record<string, string>> = {
  approved: `${captured("125.00")}.`,
  declined: `It is declined ${reported}. ${noMoney} The terminal's words: "insufficient funds".`,
  "card-expired": `It is declined ${reported}. ${noMoney} The terminal's words: "card expired".`,
  "do-not-honour": `It is declined ${reported}. ${noMoney} The terminal's words: "do not honour".`,
  "customer-cancels": `It is cancelled because the customer cancelled it at the terminal (cancelledByCustomer). ${noMoney} The terminal's words: "cancelled by the customer".`,
  "terminal-fails": `It is failed ${reported}. ${noMoney} The terminal's words: "card reader error".`,
  "slow-to-accept": `${captured("125.06")}.`,
  "slow-to-pay": `${captured("125.07")}.`,
  silent: `It is declined ${reported}. ${noMoney}`,
  "cancel-race": `It is voided because the approval came after a cancel or a deadline (lateApproval). ${noMoney} A charge of 125.09 SEK was reversed.`,
  "partial-approval": `It is voided because the terminal approved another amount than the requested one (amountMismatch). ${noMoney} A charge of 125.09 SEK was reversed.`,
  "capture-fails": `It is authorized because the terminal failed to capture the authorization (captureFailed). The merchant has 0.00 SEK from this payment; 125.11 SEK was authorized. The terminal's words: "host unreachable".`,
  "refund-fails": `${captured("125.12")}. A refund of 125.12 SEK failed.`,
  "void-fails": `It is voided because the partner cancelled it (cancelledByPartner). ${noMoney}`,
  "action-request": `${captured("125.14")}.`,
  "second-card": `${captured("125.15")}. Another charge of 125.15 SEK was reversed.`,
  "void-retried": `${captured("125.16")}. Another charge of 125.16 SEK was reversed.`,
  "charged-after-decline": `It is declined ${reported}. ${noMoney} A charge of 125.17 SEK was reversed.`,
  "partial-capture": `${captured("125.17")}; the amount to pay was 125.18 SEK.`,
  "void-never-succeeds":
    "It is captured: the terminal reported that it was approved and captured. The terminal failed to reverse a charge of 125.19 SEK. Apart from that, the merchant has 125.19 SEK from this payment.",
  "day-closed": `${captured("125.20")}.`,
  tip: `${captured("137.73")}, 12.52 SEK of it tip.`,
  "tip-too-much": `It is voided because the terminal approved another amount than the requested one (amountMismatch). ${noMoney} A charge of 162.80 SEK was reversed.`,
  "tip-partial-capture": `${captured("137.74")}, 12.51 SEK of it tip.`,
};

it.concurrent.for([approved, ...scriptList()].map(({ slug }) => slug))(
  "npm run try -- --case %s tells what the script is about, and how it ended",
  async (slug, { expect }) => {
    const { shows, told, text } = await played(slug);
    expect(told).toContain(shows);
    expect(text).toBe(endings[slug]);
  },
);
