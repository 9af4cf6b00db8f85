import type { DemoIds } from "./demo-documents.ts";
import type { CallDetail } from "../live/views/calls.ts";
import type { PaymentView } from "../live/views/payments.ts";
import type { StackFile } from "../../stack/stack-file.ts";

// What examples are filled with: the payment that an operation can be tried on now, and what was said last.

/** A call that passed the gateway, as far as it is looked at here. */
type SeenCall = Pick<CallDetail, "operation" | "status" | "requestHeaders" | "requestBody" | "responseBody">;

/** What has happened on the stack, the newest first. */
export interface Living {
  readonly payments: () => readonly PaymentView[];
  readonly calls: () => readonly SeenCall[];
}

const isRunning = ({ status }: PaymentView) => status === "inProgress" || status === "pending";

interface Meant {
  readonly fits: (payment: PaymentView) => boolean;
  /** What is said where no payment fits: how to get one. */
  readonly wanting: string;
}

/** The payments that an operation is meant for. Where there is none, it is filled with the newest. */
const meantFor: Readonly<Record<string, Meant>> = {
  "pos-payment-cancel": {
    fits: (payment) => isRunning(payment) || payment.status === "authorized",
    wanting: "No payment is under way: request one first.",
  },
  "pos-payment-capture": {
    fits: ({ status }) => status === "authorized",
    wanting: "No payment is authorized: request one whose `captureMode` is `manual`.",
  },
  "pos-payment-refund": {
    fits: ({ status, captured, refunded }) => status === "captured" && refunded < captured,
    wanting: "No payment has money left to refund: request one whose `captureMode` is `automatic`.",
  },
  "add-discount": { fits: isRunning, wanting: "No payment is under way: request one first." },
};

/** Why the operation cannot be carried out now, as a sentence that says what to do first; undefined where it can. */
export function wantingFor(operation: string, { payments }: Living): string | undefined {
  const meant = meantFor[operation];
  return meant && !payments().some(meant.fits) ? meant.wanting : undefined;
}

/** The identifiers that fill an operation's example, beside those that the demo has from its start. */
export const livingIds = (operation: string, file: StackFile, living: Living): DemoIds =>
  idsOf[operation]?.(file, living) ?? paymentIds(living.payments(), meantFor[operation]?.fits);

type IdsOf = (file: StackFile, living: Living) => DemoIds;
const freshOnes: IdsOf = () => ({});
const theLastAction: IdsOf = (_, { calls }) =>
  idIn(lastOf("raise-action-request", calls())?.requestBody, "actionRequestID");

/** Of the operations that are about no payment, or make one. */
const idsOf: Readonly<Record<string, IdsOf>> = {
  "pos-payment-request": freshOnes,
  "pos-status": freshOnes,
  "set-pos-status": freshOnes,
  "landing-page-request": freshOnes,
  "next-message": freshOnes,
  "raise-action-request": freshOnes,
  "get-landing-page": (_, { calls }) => idIn(lastOf("landing-page-request", calls())?.requestBody, "landingPageID"),
  "action-request": theLastAction,
  "action-request-response": theLastAction,
  report: (file, { calls, payments }) => reportIds(file, calls(), payments()),
};

function paymentIds(payments: readonly PaymentView[], isMeant: (payment: PaymentView) => boolean = () => true) {
  const payment = payments.find(isMeant) ?? payments[0];
  return payment ? { sessionID: payment.sessionId, pointOfServiceID: payment.terminalId } : {};
}

/** The silent terminal reports on the message that it fetched last; else on the payment that it was given last. */
function reportIds({ demo }: StackFile, calls: readonly SeenCall[], payments: readonly PaymentView[]): DemoIds {
  const { pointOfServiceID, terminalKey } = demo.terminals.silent;
  const isSilent = ({ requestHeaders }: SeenCall) =>
    requestHeaders.some(([name, value]) => name.toLowerCase() === "x-terminal-key" && value === terminalKey);
  const fetched = lastOf("next-message", calls.filter(isSilent))?.responseBody;
  const isItsOwn = ({ terminalId }: PaymentView) => terminalId === pointOfServiceID.toLowerCase();
  return { ...paymentIds(payments.filter(isItsOwn)), ...idIn(fetched, "sessionID"), ...idIn(fetched, "messageID") };
}

const lastOf = (operation: string, calls: readonly SeenCall[]): SeenCall | undefined =>
  calls.find((call) => call.operation === operation && call.status >= 200 && call.status < 300);

const identifier = /^[0-9a-f-]{36}$/i;

/** The member of a body, as the sample that it replaces; none where the body has no such identifier. */
function idIn(body: string | undefined, name: keyof DemoIds): DemoIds {
  const value = membersOf(body ?? "")[name];
  return typeof value === "string" && identifier.test(value) ? { [name]: value } : {};
}

/** The members of a JSON object; none where the text is something else. */
export function membersOf(text: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(text)) as Readonly<Record<string, unknown>>;
  } catch {
    return {}; // a body may be anything
  }
}
