import { toMinorUnits } from "../../../shared/domain/money.ts";
import type { EntryMode } from "../../terminal/simulated/session.ts";
import type { TerminalMessage, TerminalReport } from "../../terminal/simulated/terminal-client.ts";
import type { DisplayView } from "./views/terminals.ts";

// The content of a terminal's display, derived from what the terminal received, did and reported. It shows no more than the messages say.

type Payment = Omit<DisplayView, "mode" | "prompt"> & { readonly sessionId: string; readonly currency: string };
type Notice = Pick<DisplayView, "mode" | "prompt"> & Partial<DisplayView>;

/** A charge that the terminal reported. */
interface Charge {
  readonly sessionId: string | undefined;
  readonly chargeId: string;
  /** Its amount and currency, if they were reported. */
  readonly money: Pick<DisplayView, "amount" | "currency">;
}
const MOST_CHARGES = 20;

/** The content of a terminal's display. */
export interface Screen {
  /** The running payments, the newest last. `card` says how a card is being read. */
  readonly payments: readonly (Payment & { readonly card?: EntryMode })[];
  /** Shown first, until its time is over. A question is shown until it has a response. */
  readonly notice?: Notice & { readonly until: number | undefined };
  /** Its last reported charges, the newest last. */
  readonly charges: readonly Charge[];
}

/** The time of an event, and how long its result is shown, in milliseconds. */
export interface Moment {
  readonly now: number;
  readonly noticeMs: number;
}

export const blank: Screen = { payments: [], charges: [] };

/** The content of the display at this time. Nothing hides a payment that waits for its card. */
export function displayAt({ payments, notice }: Screen, now: number): DisplayView {
  const payment = payments.at(-1);
  const shown = notice && (notice.until ?? Infinity) > now ? notice : undefined;
  if (payment) return ofPayment(payment, shown?.mode === "question" ? shown.prompt : undefined);
  if (!shown) return { mode: "idle", prompt: "Welcome" };
  const { until: _, ...display } = shown;
  return display;
}

function ofPayment({ card, ...payment }: Screen["payments"][number], prompt = "Present card"): DisplayView {
  if (card === undefined) return { ...payment, mode: "payment", prompt };
  return { ...payment, mode: "working", prompt: card === "chip" ? "Reading the chip…" : "Reading the card…" };
}

const noticed = (screen: Screen, notice: Notice, { now, noticeMs }: Moment): Screen => ({
  ...screen,
  notice: { ...notice, until: now + noticeMs },
});

/** The power was cut, and the terminal keeps its memory. */
export const powerCut = ({ charges }: Screen): Screen => ({ payments: [], charges });

/** A card is presented for a payment. */
export const cardPresented = (screen: Screen, sessionID: string, card: EntryMode): Screen => ({
  payments: screen.payments.map((payment) => (payment.sessionId === sessionID ? { ...payment, card } : payment)),
  charges: screen.charges,
});

/** The customer chose a tip for a payment. */
export const tipChosen = (screen: Screen, sessionID: string, chosen: number): Screen => ({
  ...screen,
  payments: screen.payments.map((payment) =>
    payment.sessionId === sessionID && payment.tip ? { ...payment, tip: { ...payment.tip, chosen } } : payment,
  ),
});

/** The terminal raises an action request. */
export const asked = (screen: Screen, description: string): Screen => ({
  ...screen,
  notice: { mode: "question", prompt: `Asking the shop: ${description}`, until: undefined },
});

const responses: Readonly<Record<string, string>> = {
  accepted: "The shop says yes",
  declined: "The shop says no",
  expired: "The shop did not respond",
  cancelled: "The question was withdrawn",
  refused: "The shop could not be asked",
};

/** A question has a response, or `refused` if the platform rejected it. */
export const answered = (screen: Screen, response: string, moment: Moment): Screen =>
  noticed(screen, { mode: "question", prompt: responses[response] ?? response }, moment);

/** The terminal has reported an event that a message caused. */
export function reported(before: Screen, message: TerminalMessage, report: TerminalReport, moment: Moment): Screen {
  const screen = report.type === "authorized" ? withCharge(before, report) : before;
  if (report.type === "accepted") return begun(screen, message, moment);
  if (report.type === "discountApplied") return discounted(screen, message);
  if (message.type === "actionAnswer") return answered(screen, message.responseCode ?? "", moment);
  if (message.type === "statusQuery" && !isUnderWay(screen, message)) return screen; // a repeated old result
  const notice = notices[report.type]?.(report, chargeOf(screen, report));
  if (!notice) return screen;
  const payments = screen.payments.filter(({ sessionId }) => sessionId !== message.sessionID);
  return noticed({ ...screen, payments }, { ...notice, ...amountOf(report), ...sessionOf(message) }, moment);
}

const isUnderWay = ({ payments }: Screen, { sessionID }: TerminalMessage): boolean =>
  payments.some(({ sessionId }) => sessionId === sessionID);

function withCharge(screen: Screen, report: TerminalReport): Screen {
  const { chargeID: chargeId, sessionID: sessionId } = report;
  if (chargeId === undefined || screen.charges.some((charge) => charge.chargeId === chargeId)) return screen;
  return {
    ...screen,
    charges: [...screen.charges, { sessionId, chargeId, money: amountOf(report) }].slice(-MOST_CHARGES),
  };
}

/** The charge that a report names, if the terminal remembers it. */
interface Reported extends Pick<Charge, "money"> {
  /** It is not the first charge of its payment. */
  readonly isSecond: boolean;
}

function chargeOf({ charges }: Screen, { chargeID }: TerminalReport): Reported | undefined {
  const charge = charges.find(({ chargeId }) => chargeId === chargeID);
  if (!charge) return undefined;
  const first = charges.find(({ sessionId }) => sessionId === charge.sessionId);
  return { money: charge.money, isSecond: charge !== first };
}

/** The display's notice for a report, by the report's type. Other reports do not change the display. */
const notices: Readonly<Record<string, (report: TerminalReport, charge: Reported | undefined) => Notice>> = {
  authorized: (_, charge) => ({ mode: "approved", prompt: charge?.isSecond ? "Second card approved" : "Approved" }),
  declined: (report) => ({ mode: "declined", prompt: withDetail("Declined", report) }),
  cancelled: () => ({ mode: "cancelled", prompt: "Cancelled" }),
  failed: (report) => ({ mode: "failed", prompt: withDetail("Failed", report) }),
  notStarted: () => ({ mode: "cancelled", prompt: "Not started" }),
  captured: () => ({ mode: "approved", prompt: "Payment completed" }),
  captureFailed: (report) => ({ mode: "failed", prompt: withDetail("Payment not completed", report) }),
  voided: (_, charge) => ({
    mode: "cancelled",
    prompt: charge?.isSecond ? "Second card's charge reversed" : "Money released to the card",
    ...charge?.money,
  }),
  voidFailed: (report, charge) => ({
    mode: "failed",
    prompt: withDetail(charge?.isSecond ? "Second card's charge not reversed" : "Money not released", report),
  }),
  refunded: () => ({ mode: "approved", prompt: "Refunded to the card" }),
  refundFailed: (report) => ({ mode: "failed", prompt: withDetail("Refund failed", report) }),
};

const withDetail = (words: string, { detail }: TerminalReport): string =>
  typeof detail === "string" ? `${words}: ${detail}` : words;

function begun(screen: Screen, message: TerminalMessage, { now }: Moment): Screen {
  const { sessionID: sessionId = "", currency = "", merchantName, expiresInMs } = message;
  if (isUnderWay(screen, message)) return screen; // requested again
  const payment: Payment = {
    sessionId,
    currency,
    ...(merchantName !== undefined && { merchantName }),
    ...totalsOf(message),
    expiresAt: now + expiresInMs,
  };
  return { payments: [...screen.payments, payment], charges: screen.charges };
}

function discounted(screen: Screen, message: TerminalMessage): Screen {
  const payments = screen.payments.map((payment) => {
    if (payment.sessionId !== message.sessionID) return payment;
    const { vat: _, tip: __, ...rest } = payment;
    const taken = minor(message.amount, payment.currency) ?? 0;
    return { ...rest, ...totalsOf(message), discount: (payment.discount ?? 0) + taken };
  });
  return { ...screen, payments };
}

function totalsOf(message: TerminalMessage): Pick<Payment, "amount" | "vat" | "tip"> {
  const { totalAmountInclVat, totalVatAmount, currency, tip } = message;
  const [amount, vat] = [minor(totalAmountInclVat, currency), minor(totalVatAmount, currency)];
  const totals = { ...(amount !== undefined && { amount }), ...(vat !== undefined && { vat }) };
  if (!tip) return totals;
  const [maximum = 0, ...amounts] = [tip.maximum, ...tip.amounts].map((major) => minor(major, currency) ?? 0);
  return { ...totals, tip: { ...tip, maximum, amounts } };
}

function amountOf({ amount: major, ...report }: TerminalReport): Partial<DisplayView> {
  const currency = typeof report["currency"] === "string" ? report["currency"] : undefined;
  const amount = minor(major, currency);
  return amount === undefined || currency === undefined ? {} : { amount, currency };
}

const sessionOf = ({ sessionID }: TerminalMessage): Partial<DisplayView> =>
  sessionID === undefined ? {} : { sessionId: sessionID };

function minor(major: number | undefined, currency: string | undefined): number | undefined {
  const read = major === undefined || currency === undefined ? undefined : toMinorUnits(major, currency);
  return read?.ok ? read.value : undefined;
}
