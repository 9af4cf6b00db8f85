import type { DemoIds } from "./demo-documents.ts";
import type { CallDetail } from "../live/views/calls.ts";
import type { PaymentView } from "../live/views/payments.ts";
import type { StackFile } from "../stack/stack-file.ts";

// Fills the examples: with a payment on which an operation can be tried now, and with identifiers from the last calls.

/** The members of a gateway call that are used here. */
type SeenCall = Pick<CallDetail, "operation" | "status" | "requestHeaders" | "requestBody" | "responseBody">;

/** The events on the stack, the newest first. */
export interface Living {
  readonly payments: () => readonly PaymentView[];
  readonly calls: () => readonly SeenCall[];
}

const isRunning = ({ status }: PaymentView) => status === "inProgress" || status === "pending";

interface Meant {
  readonly fits: (payment: PaymentView) => boolean;
  /** The hint if no payment fits: how to get one. */
  readonly wanting: string;
}

/** The payments that fit an operation. If none fits, the newest payment fills the example. */
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

/** Why the operation cannot be carried out now, as a sentence that says what to do first. Undefined if it can. */
export function wantingFor(operation: string, { payments }: Living): string | undefined {
  const meant = meantFor[operation];
  return meant && !payments().some(meant.fits) ? meant.wanting : undefined;
}

/** The identifiers that fill an operation's example, in addition to those that the demo has from its start. */
export const livingIds = (operation: string, file: StackFile, living: Living): DemoIds =>
  idsOf[operation]?.(file, living) ?? paymentIds(living.payments(), meantFor[operation]?.fits);

type IdsOf = (file: StackFile, living: Living) => DemoIds;
const freshOnes: IdsOf = () => ({});
const theLastAction: IdsOf = (_, { calls }) =>
  idIn(lastOf("raise-action-request", calls())?.requestBody, "actionRequestID");

/** The operations that need no existing payment: they are about something else, or create a payment. */
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

/** The silent terminal reports on the last message that it fetched, otherwise on its last payment. */
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

/** The member of a body, to replace its sample. Empty if the body has no such identifier. */
function idIn(body: string | undefined, name: keyof DemoIds): DemoIds {
  const value = membersOf(body ?? "")[name];
  return typeof value === "string" && identifier.test(value) ? { [name]: value } : {};
}

/** The members of a JSON object. Empty if the text is not JSON. */
export function membersOf(text: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(text)) as Readonly<Record<string, unknown>>;
  } catch {
    return {}; // a body may be any text
  }
}
