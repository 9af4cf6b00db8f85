import type { PaymentObject } from "../../../shared/contracts/objects/payment.ts";
import { shownMoney, toMinorUnits } from "../../../shared/domain/money.ts";
import type { PaymentMoney } from "../../../shared/domain/payment/operator/merchant-money.ts";
import { because } from "../../../infra/operator/common/reasons.ts";
import { typed } from "../../../infra/tools/typed-command.ts";
import type { StackFile } from "../stack/stack-file.ts";
import { followOtherEvents } from "./other-events.ts";
import { noticedChanges, unnoticedChanges } from "./changes.ts";
import { followPayment, hasEnded } from "./follow.ts";
import { newLines, type Happening, type Lines } from "./lines.ts";
import { demoPartner, Refused, type DemoPartnerApi, type Wanted } from "./partner.ts";

/** The result of a tried payment. */
export interface Tried {
  readonly sessionID: string;
  /** The identifier of the request, for `npm run logs -- --request`. */
  readonly requestID: string;
  readonly status: PaymentObject["status"];
  /** Whether the payment has ended, or is authorized for a manual capture. */
  readonly hasEnded: boolean;
  readonly text: string;
  /** The command that captures an authorized payment. */
  readonly next?: string;
}

export interface Shown {
  readonly show: (happening: Happening) => void;
  readonly signal: AbortSignal;
  /** The stack's option in the commands of hints, with a space before it. */
  readonly stackOption?: string;
}

/**
 * Requests a payment of the running stack as its demo partner, and tells its events. Accepts the requests of the terminal, and plays the
 * partner's part in the script. Throws a sentence if the payment could not be requested.
 */
export async function tryPayment(
  file: StackFile,
  wanted: Wanted,
  { show, signal, stackOption = "" }: Shown,
): Promise<Tried> {
  const partner = demoPartner(file);
  const { payment, requestId: requestID } = await requested(partner, wanted, stackOption);
  const { sessionID } = payment;
  const ending = new AbortController();
  const lines = newLines(show);
  const changes = noticedChanges(signal);
  const following = followEvents(file, partner, { payment, lines, changes, stackOption, signal: ending.signal });
  try {
    const hasWebhooks = wanted.webhookUrl !== undefined || file.live !== undefined;
    const ended = await followPayment({
      partner,
      payment,
      script: wanted.script,
      hasWebhooks,
      lines,
      changes: file.live === undefined ? unnoticedChanges(signal) : changes,
      signal,
    });
    return {
      sessionID,
      requestID,
      status: ended.status,
      hasEnded: hasEnded(ended),
      text: endText(ended),
      ...(ended.status === "authorized" && { next: partner.captureCommand(ended) }),
    };
  } finally {
    ending.abort();
    await following;
    lines.flush();
  }
}

/** Explains the payment's state and money, and names each reversed charge and each failed refund. */
export function endText(payment: PaymentObject): string {
  const money = moneyOf(payment);
  const { charges, refunds } = money;
  const hasOwn = charges.some(({ status }) => status === "authorized" || status === "captured");
  const reversed = charges.filter(({ status }) => status === "reversed");
  const failed = refunds.filter(({ status }) => status === "failed");
  return [
    because({ ...money, statusDetail: payment.statusDetail }),
    ...reversed.map(
      ({ amount, currency }) => `${hasOwn ? "Another" : "A"} charge of ${shownMoney(amount, currency)} was reversed.`,
    ),
    ...failed.map(({ amount }) => `A refund of ${shownMoney(amount, money.currency)} failed.`),
  ].join(" ");
}

/** The payment's amounts in minor units, from the response to its partner. */
function moneyOf({ status, statusReason, currency, amounts, tip, charges, refunds }: PaymentObject): PaymentMoney {
  const minor = (major: number, of = currency): number => {
    const read = toMinorUnits(major, of);
    if (!read.ok) throw new Error(`The platform's response has an amount that is not valid in ${of}: ${major}.`);
    return read.value;
  };
  const { requested, discounted, authorized, captured } = amounts;
  return {
    status,
    statusReason,
    currency,
    restored: undefined,
    amounts: {
      requested: minor(requested),
      discounted: minor(discounted),
      authorized: minor(authorized),
      captured: minor(captured),
    },
    charges: charges.map(({ chargeID: chargeId, status, amount, currency: of, contradicted }) => ({
      chargeId,
      status,
      contradicted,
      amount: minor(amount, of),
      currency: of,
      tip: status === "authorized" || status === "captured" ? minor(tip?.amount ?? 0) : 0,
    })),
    refunds: refunds.map(({ refundID: refundId, refundAmount, status, statusReason }) => ({
      refundId,
      status,
      statusReason,
      amount: minor(refundAmount),
    })),
  };
}

async function requested(partner: DemoPartnerApi, wanted: Wanted, stackOption: string) {
  try {
    return await partner.request(wanted);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    if (error.code === "terminal_offline")
      throw new Error(`${offlineText(wanted.terminal)}: ${typed("try", stackOption.trim())}`, {
        cause: error,
      });
    if (error.code !== "terminal_busy") throw error;
    const { activeSessionID } = await partner.terminal(wanted.terminal);
    const holder = activeSessionID === undefined ? "another partner's payment" : `session ${activeSessionID}`;
    const other = partner.otherTerminal(wanted.terminal);
    const hint =
      other === undefined ? "." : `, or pay on another one: ${typed("try", `--terminal ${other}${stackOption}`)}`;
    const message = `The terminal ${wanted.terminal} is busy with ${holder}: try again when it has ended${hint}`;
    throw new Error(message, { cause: error });
  }
}

const offlineText = (terminal: string): string =>
  terminal === "counter"
    ? "The terminal counter is offline: switch it on at the live page, or use the autopilot"
    : `The terminal ${terminal} is offline: start the program that plays it (docs/running.md, "The silent terminal"), or use the autopilot`;

interface Heard {
  readonly payment: PaymentObject;
  readonly lines: Lines;
  readonly changes: ReturnType<typeof noticedChanges>;
  readonly stackOption: string;
  readonly signal: AbortSignal;
}

/** Tells the events that are not in the timeline, and accepts the requests of the terminal. Never rejects: it prints errors instead. */
async function followEvents(
  { live: liveUrl }: StackFile,
  partner: DemoPartnerApi,
  { payment: { sessionID, createdAt }, lines: { tell }, changes, stackOption, signal }: Heard,
): Promise<void> {
  if (liveUrl === undefined) return;
  const since = (at: string) => Date.parse(at) - Date.parse(createdAt);
  const accept = async (actionRequestID: string) => {
    const { respondedAt } = await partner.accept(actionRequestID);
    const text = "The partner accepted the terminal's request";
    tell({ ms: since(respondedAt), who: "partner", event: "actionAccepted", text });
  };
  const accepting: Promise<void>[] = [];
  const complain = (error: unknown) => console.error(error instanceof Error ? error.message : error);
  await followOtherEvents(
    { liveUrl, sessionID, signal },
    {
      asked({ timestamp, data: { actionRequestID, actionCode, description = actionCode } }) {
        const text = `The terminal asks the partner: ${JSON.stringify(description)}`;
        tell({ ms: since(timestamp), who: "terminal", event: "actionRequest", text });
        accepting.push(accept(actionRequestID).catch(complain));
      },
      alerted({ kind, firstAt }) {
        const text = `The alert ${kind} calls an operator: ${typed("admin", `alert list${stackOption}`)}`;
        tell({ ms: firstAt - Date.parse(createdAt), who: "platform", event: "alert", text });
      },
      changed: changes.notice,
    },
  ).catch((error: unknown) => {
    if (!signal.aborted) complain(error);
  });
  await Promise.all(accepting);
}
