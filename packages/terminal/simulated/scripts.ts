import { fromMinorUnits, proportion, toMinorUnits } from "../../../shared/domain/money.ts";
import type { Decline } from "../../../shared/domain/payment/record/decline-code.ts";
import type { PaymentEvent } from "../../../shared/domain/payment/record/events.ts";
import { minorOf } from "./minor-of.ts";
import type { TipQuestion } from "./terminal-client.ts";

/** A request that the partner must send at a status of the payment, so that the script's subject happens. */
export interface PartnerPart {
  readonly does: "cancel" | "capture" | "refund";
  /** A payment is `authorized` only if it is captured by hand. */
  readonly at: "inProgress" | "authorized" | "captured";
  /** Follows "The partner". */
  readonly text: string;
}

/** How a terminal plays a payment. Times are in steps of its pace. */
export interface Script {
  readonly name: string;
  /** Its name on the command line: `npm run try -- --case <slug>`. */
  readonly slug: string;
  readonly outcome: "authorized" | "declined" | "cancelled" | "failed";
  /** The event that shows the script's subject: one of the payment's history, a question to the partner, or the end of the day. */
  readonly shows: PaymentEvent | "actionRequest" | "dayClosed";
  readonly partner?: PartnerPart;
  readonly detail?: string;
  /** The codes of the decline or failure. The host's code is one of ISO 8583. */
  readonly decline?: Decline;
  readonly acceptAfter?: number;
  readonly payAfter?: number;
  /** Fetches messages and reports nothing about them. */
  readonly silent?: boolean;
  /** Approves although a cancel arrived: the card was already inserted. */
  readonly winsRace?: boolean;
  /** In minor units, added to the requested amount. */
  readonly approvedDifference?: number;
  readonly captureFails?: boolean;
  readonly refundFails?: boolean;
  /** The number of a charge's voids that fail. */
  readonly failingVoids?: number;
  /** Charges a second card after the first, so that the payment is paid twice. */
  readonly chargesTwice?: boolean;
  /** Charges a card this many steps after it reported the end of the payment. */
  readonly chargesAfter?: number;
  /** In minor units, added to the amount to capture. */
  readonly capturedDifference?: number;
  /** Closes the terminal's business day once the payment is paid. */
  readonly closesDay?: boolean;
  /** Raises an action request before the customer may pay. */
  readonly asksFirst?: boolean;
  /** The tip if the payment asks for one, as a percentage of the amount to pay. It is at most the maximum, except `tooMuch`. */
  readonly tip?: number | "tooMuch";
}

const capturesByHand: PartnerPart = { does: "capture", at: "authorized", text: "captures it by hand" };

/** The scripts by the last two digits of the total in minor units. Every other total is approved. */
const scripts: Readonly<Record<string, Script>> = {
  "01": {
    slug: "declined",
    name: "declined: insufficient funds",
    outcome: "declined",
    shows: "declined",
    detail: "insufficient funds",
    decline: { declineCode: "insufficientFunds", hostCode: "51" },
  },
  "02": {
    slug: "card-expired",
    name: "declined: card expired",
    outcome: "declined",
    shows: "declined",
    detail: "card expired",
    decline: { declineCode: "expiredCard", hostCode: "54" },
  },
  "03": {
    slug: "do-not-honour",
    name: "declined: do not honour",
    outcome: "declined",
    shows: "declined",
    detail: "do not honour",
    decline: { declineCode: "doNotHonour", hostCode: "05" },
  },
  "04": {
    slug: "customer-cancels",
    name: "the customer cancels at the terminal",
    outcome: "cancelled",
    shows: "cancelled",
    detail: "cancelled by the customer",
  },
  "05": {
    slug: "terminal-fails",
    name: "the terminal fails",
    outcome: "failed",
    shows: "failed",
    detail: "card reader error",
    decline: { declineCode: "readError" },
  },
  "06": {
    slug: "slow-to-accept",
    name: "slow to accept, then approved",
    outcome: "authorized",
    shows: "accepted",
    acceptAfter: 20,
  },
  "07": {
    slug: "slow-to-pay",
    name: "slow to pay, then approved",
    outcome: "authorized",
    shows: "authorized",
    payAfter: 50,
  },
  "08": {
    slug: "silent",
    name: "silent after it has fetched the payment, until a status query arrives",
    outcome: "declined",
    shows: "acceptanceOverdue",
    silent: true,
  },
  "09": {
    slug: "cancel-race",
    name: "loses the cancel race: approved although cancelled",
    outcome: "authorized",
    shows: "cancel",
    partner: { does: "cancel", at: "inProgress", text: "cancels it while it runs" },
    payAfter: 50,
    winsRace: true,
  },
  "10": {
    slug: "partial-approval",
    name: "approves one minor unit less than requested",
    outcome: "authorized",
    shows: "authorizedOtherAmount",
    approvedDifference: -1,
  },
  "11": {
    slug: "capture-fails",
    name: "approved; a capture fails",
    outcome: "authorized",
    shows: "captureFailed",
    partner: capturesByHand,
    captureFails: true,
  },
  "12": {
    slug: "refund-fails",
    name: "approved; a refund fails",
    outcome: "authorized",
    shows: "refundFailed",
    partner: { does: "refund", at: "captured", text: "refunds it" },
    refundFails: true,
  },
  "13": {
    slug: "void-fails",
    name: "approved; a void fails, and the next attempt succeeds (after `RETRY_VOID_SECONDS`)",
    outcome: "authorized",
    shows: "voidFailed",
    partner: { does: "cancel", at: "authorized", text: "cancels it after the approval" },
    failingVoids: 1,
  },
  "14": {
    slug: "action-request",
    name: "raises an action request first; approved if it is accepted",
    outcome: "authorized",
    shows: "actionRequest",
    asksFirst: true,
  },
  "15": {
    slug: "second-card",
    name: "approved twice: a second card is charged, and its charge is returned",
    outcome: "authorized",
    shows: "reversed",
    chargesTwice: true,
  },
  "16": {
    slug: "void-retried",
    name: "approved twice; a void fails twice before it succeeds",
    outcome: "authorized",
    shows: "reversalOverdue",
    chargesTwice: true,
    failingVoids: 2,
  },
  "17": {
    slug: "charged-after-decline",
    name: "declined, but charged a moment later; the charge is returned",
    outcome: "declined",
    shows: "reversed",
    chargesAfter: 10,
  },
  "18": {
    slug: "partial-capture",
    name: "captures one minor unit less than requested",
    outcome: "authorized",
    shows: "captured",
    partner: capturesByHand,
    capturedDifference: -1,
  },
  "19": {
    slug: "void-never-succeeds",
    name: "approved twice; no void succeeds, and an operator is called",
    outcome: "authorized",
    shows: "reversalFailed",
    chargesTwice: true,
    failingVoids: Infinity,
  },
  "20": {
    slug: "day-closed",
    name: "approved; then the terminal closes its business day",
    outcome: "authorized",
    shows: "dayClosed",
    closesDay: true,
  },
  "21": {
    slug: "tip",
    name: "slow to pay, with a tip of 10 %",
    outcome: "authorized",
    shows: "authorized",
    payAfter: 50,
    tip: 10,
  },
  "22": {
    slug: "tip-too-much",
    name: "takes more than the largest tip; the charge is returned",
    outcome: "authorized",
    shows: "authorizedOtherAmount",
    tip: "tooMuch",
  },
  "23": {
    slug: "tip-partial-capture",
    name: "approved with a tip of 10 %; captures one minor unit less than requested",
    outcome: "authorized",
    shows: "captured",
    partner: capturesByHand,
    tip: 10,
    capturedDifference: -1,
  },
};

/** The script of every other total, and of payments that a person decides. */
export const approved: Script = { name: "approved", slug: "approved", outcome: "authorized", shows: "authorized" };

export function scriptFor(total: number, currency: string): Script {
  const minor = toMinorUnits(total, currency);
  return (minor.ok && scripts[String(minor.value % 100).padStart(2, "0")]) || approved;
}

/** The amount that the autopilot charges for a requested total, in the major unit. */
export const approvedAmount = (script: Script, total: number, currency: string): number =>
  besides(total, script.approvedDifference, currency);

/** The amount that it captures for a requested amount, in the major unit. */
export const capturedAmount = (script: Script | undefined, requested: number, currency: string): number =>
  besides(requested, script?.capturedDifference, currency);

/**
 * The tip that the autopilot's customer gives, in the major unit: 10 % of an amount is rounded half up. Undefined if the terminal must not
 * ask for a tip.
 */
export function tipGiven({ tip: wish = 0 }: Script, { tip, total, currency }: Asked): number | undefined {
  if (!tip) return undefined;
  const maximum = minorOf(tip.maximum, currency);
  const given = wish === "tooMuch" ? maximum + 1 : Math.min(proportion(minorOf(total, currency), wish, 100), maximum);
  return fromMinorUnits(given, currency);
}

/** A payment with its question for a tip. */
interface Asked {
  readonly tip: TipQuestion | undefined;
  readonly total: number;
  readonly currency: string;
}

function besides(major: number, difference: number | undefined, currency: string): number {
  const minor = toMinorUnits(major, currency);
  return minor.ok ? fromMinorUnits(minor.value + (difference ?? 0), currency) : major;
}

/** Each script's minor digits, command-line name and description, in order. */
export const scriptList = (): readonly { readonly digits: string; readonly slug: string; readonly name: string }[] =>
  inOrder().map(({ digits, slug, name }) => ({ digits, slug, name }));

const inOrder = () =>
  Object.entries(scripts)
    .map(([digits, script]) => ({ digits, ...script }))
    .toSorted((one, other) => one.digits.localeCompare(other.digits));

/** The capture mode that the partner's part needs. Undefined if the script plays with either. */
export const captureModeOf = ({ partner }: Script): "automatic" | "manual" | undefined =>
  partner && (partner.at === "captured" ? "automatic" : partner.at === "authorized" ? "manual" : undefined);

/** The minor digits of the script with this command-line name. Undefined if there is no such script. */
export const digitsOf = (slug: string): string | undefined =>
  slug === approved.slug ? "00" : scriptList().find((script) => script.slug === slug)?.digits;

/** The partner's part in the script, which follows "The partner". Empty if it has none. */
export const partnerText = ({ tip, partner }: Script): string =>
  [tip === undefined ? undefined : "asks for a tip", partner?.text].filter(Boolean).join(", and ");

/** The scripts as a table for docs/running.md. */
export const scriptTable = (): string =>
  [
    "| minor digits | `--case` | what happens | the partner |",
    "|---|---|---|---|",
    `| \`00\` and all others | \`${approved.slug}\` | approved |  |`,
    ...inOrder().map(
      ({ digits, ...script }) => `| \`${digits}\` | \`${script.slug}\` | ${script.name} | ${partnerText(script)} |`,
    ),
  ].join("\n");
