import { expect, it } from "vitest";
import type { InboxRow } from "../../../../shared/stores/inboxes.ts";
import { refundedAmount } from "../../../../shared/domain/payment/record/kept-money.ts";
import type { Payment } from "../../../../shared/domain/payment/record/payment.ts";
import type { ReportType } from "../../../../shared/domain/payment/record/events.ts";
import type { Report } from "../../../../shared/domain/payment/record/report.ts";
import { cancelPayment } from "../../../../shared/use-cases/payments/cancel-payment.ts";
import { capturePayment } from "../../../../shared/use-cases/payments/capture-payment.ts";
import { recordReport } from "../../../../shared/use-cases/payments/record-report.ts";
import { refundPayment } from "../../../../shared/use-cases/payments/refund-payment.ts";
import { requestPayment } from "../../../../shared/use-cases/payments/request-payment.ts";
import { fetchNext } from "../../../support/a-payment.ts";
import { callFrom } from "../../../support/calls.ts";
import { fc } from "../../../support/drawn.ts";
import {
  aPlatform,
  aRequest,
  aTerminal,
  callBy,
  partnerId,
  terminalId,
  type Platform,
} from "../../../support/platform.ts";

/** A customer's card that one device charged. Amounts are minor units. */
interface Card {
  readonly sessionId: string;
  readonly chargeId: string;
  readonly amount: number;
  captured: number;
  refunded: number;
  back: boolean;
}

/** One of two devices with one key. It knows only its own cards, and obeys each message once. */
function aDevice(platform: Platform, name: string, cards: Card[]) {
  const { deps } = platform;
  const runs = new Map<string, Card | "refused">();
  const answers = new Map<string, readonly Outgoing[]>();
  const outbox: Outgoing[] = [];
  let ids = 0;

  const knownOf = (sessionId: string): Card | undefined => {
    const run = runs.get(sessionId);
    return run === "refused" ? undefined : run;
  };
  const stateOf = (card: Card | undefined): Said => {
    if (!card) return { type: "notStarted" };
    const { chargeId, amount } = card;
    if (card.back) return { type: "voided", chargeId };
    return card.captured > 0
      ? { type: "captured", chargeId, amount: card.captured, currency: "SEK" }
      : { type: "authorized", chargeId, amount, currency: "SEK" };
  };

  function obeyed({ message, slot: { sessionId } }: InboxRow): readonly Said[] {
    const card = knownOf(sessionId);
    switch (message.type) {
      case "payment": {
        if (runs.has(sessionId)) return [stateOf(card)];
        const chargeId = `${name}-${runs.size}-${sessionId.slice(-4)}`;
        const { amount } = message;
        const captured = message.captureMode === "automatic" ? amount : 0;
        const made: Card = { sessionId, chargeId, amount, captured, refunded: 0, back: false };
        runs.set(sessionId, made);
        cards.push(made);
        return [{ type: "accepted" }, { type: "authorized", chargeId, amount, currency: "SEK" }];
      }
      case "capture":
        if (!card || card.chargeId !== message.chargeId || card.back)
          return [{ type: "captureFailed", chargeId: message.chargeId }];
        if (card.captured === 0) card.captured = message.amount;
        return [stateOf(card)];
      case "void":
        if (!card || card.chargeId !== message.chargeId) return [{ type: "voidFailed", chargeId: message.chargeId }];
        card.back = true;
        return [stateOf(card)];
      case "refund": {
        const refundId = message.refundId.toLowerCase();
        const has = card && card.chargeId === message.chargeId && !card.back ? card.captured - card.refunded : 0;
        if (!card || has < message.amount) return [{ type: "refundFailed", refundId }];
        card.refunded += message.amount;
        return [{ type: "refunded", refundId, amount: message.amount, currency: "SEK" }];
      }
      case "cancel":
        if (!runs.has(sessionId)) runs.set(sessionId, "refused");
        return [card ? stateOf(card) : { type: "cancelled" }];
      case "statusQuery":
        return message.refundId === undefined ? [stateOf(card)] : [];
      default:
        return [];
    }
  }

  return {
    async poll() {
      const row = await fetchNext(platform, terminalId);
      if (!row) return false;
      const given =
        answers.get(row.messageId) ??
        obeyed(row).map((said) => ({
          sessionId: row.slot.sessionId,
          report: { reportId: `${name}-${++ids}`, messageId: row.messageId, ...said } as Report,
        }));
      answers.set(row.messageId, given);
      outbox.push(...given);
      return true;
    },
    async report() {
      const next = outbox.shift();
      if (next) await recordReport(deps, callFrom(deps, aTerminal()), next.sessionId, next.report);
      return next !== undefined;
    },
  };
}

/** A charge in one of these states has reached its intended end. */
const meant: ReadonlySet<string> = new Set(["authorized", "captured", "kept"]);

/** The merchant's minor units from the charge, by the books. */
function heldBy(payment: Payment | undefined, chargeId: string): number {
  const charge = payment?.charges.find((one) => one.chargeId === chargeId);
  return payment && charge?.status === "captured"
    ? payment.amounts.captured - refundedAmount(payment)
    : (charge?.captured ?? 0);
}

type Said = Partial<Report> & { readonly type: ReportType };
interface Outgoing {
  readonly sessionId: string;
  readonly report: Report;
}

const steps = [
  "pay",
  "pay automatically",
  "poll 0",
  "poll 1",
  "report 0",
  "report 1",
  "capture",
  "cancel",
  "refund",
  "wait",
  "wait long",
  "both poll",
] as const;

it("two devices that share a terminal's key leave no card unaccounted for: it is in the books, given back, or named by an alert", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(...steps), { minLength: 10, maxLength: 60 }), async (drawn) => {
      const platform = await aPlatform();
      const { deps } = platform;
      const cards: Card[] = [];
      const devices = [aDevice(platform, "a", cards), aDevice(platform, "b", cards)] as const;
      const sessions: string[] = [];
      const latest = () => ({ sessionId: sessions.at(-1) ?? "none", terminalId });
      const act: Record<(typeof steps)[number], () => Promise<unknown>> = {
        pay: () => pay("manual"),
        "pay automatically": () => pay("automatic"),
        "poll 0": () => devices[0].poll(),
        "poll 1": () => devices[1].poll(),
        "report 0": () => devices[0].report(),
        "report 1": () => devices[1].report(),
        capture: () => capturePayment(deps, callBy(deps), latest()),
        cancel: () => cancelPayment(deps, callBy(deps), latest()),
        refund: () =>
          refundPayment(deps, callBy(deps), { ...latest(), currency: "SEK", refundAmount: 1, reason: "a return" }),
        wait: () => platform.pass(12), // an unanswered message is delivered again
        "both poll": async () => {
          await devices[0].poll();
          await platform.pass(12);
          await devices[1].poll();
        },
        "wait long": () => platform.pass(65),
      };
      async function pay(captureMode: "manual" | "automatic") {
        const request = aRequest({ captureMode });
        const requested = await requestPayment(deps, callBy(deps), request);
        if (requested.ok) sessions.push(request.sessionId);
        await platform.pass();
      }
      for (const step of drawn) await act[step]();
      for (let round = 0; round < 20; round++) {
        for (const device of devices) {
          while (await device.report());
          await device.poll();
          while (await device.report());
        }
        await platform.pass(round < 8 ? 40 : 12 * 3_600 + 1);
      }
      for (const sessionId of sessions) {
        const payment = (await deps.payments.find({ partnerId, terminalId, sessionId }))?.payment;
        const alerts = (await deps.alerts.of(sessionId)).map(({ alert }) => alert);
        for (const card of cards.filter((one) => one.sessionId === sessionId)) {
          const charge = payment?.charges.find(({ chargeId }) => chargeId === card.chargeId);
          const has = card.back ? 0 : card.captured - card.refunded;
          const isBack = card.back && (charge?.status === "voided" || charge?.status === "reversed");
          const isMeant = charge && meant.has(charge.status);
          const isBooked = !card.back && isMeant === true && heldBy(payment, card.chargeId) === has;
          const isNamed = alerts.some(({ about }) => about === card.chargeId || about === undefined);
          expect({
            card,
            isKnown: isBack || isBooked || isNamed,
            charge,
            alerts: alerts.map(({ kind, about }) => [kind, about]),
            payment: payment?.status,
            amounts: payment?.amounts,
          }).toMatchObject({ isKnown: true });
        }
      }
    }),
    { numRuns: Number(process.env["SHARED_KEY_RUNS"] ?? 100) },
  );
});
