import type { PartnerSubject } from "../../../../shared/ports/subjects.ts";
import type { Needs } from "../../../../shared/use-cases/needs.ts";
import { UsageError } from "../../../tools/script.ts";
import type { Given } from "../command.ts";
import { day, identifier, option, required } from "../words.ts";
import { paymentKey } from "./payment-options.ts";

/** The options that name the subject of webhooks: a payment, a terminal's business day, or an action request. */
export const subjectOptions = [
  required("--partner <partnerID>", "the partner that gets the webhooks", identifier),
  option("--session <sessionID>", "webhooks of this payment", identifier),
  option("--terminal <pointOfServiceID>", "webhooks of this terminal's business day, with --day", identifier),
  option("--day <YYYY-MM-DD>", "the terminal's business day", day),
  option("--action-request <actionRequestID>", "webhooks of this action request", identifier),
];

type Named = Given<typeof subjectOptions>;

/** Throws `UsageError` if the options name no subject, or more than one. */
export function checkSubject({ session, terminal, day, actionRequest }: Named): void {
  const named = [session, terminal ?? day, actionRequest].filter((name) => name !== undefined);
  if (named.length !== 1 || (terminal === undefined) !== (day === undefined))
    throw new UsageError("Use --session, or --terminal with --day, or --action-request.");
}

/** The subject that the checked options name. Throws an error for the operator if there is no such payment. */
export async function subjectIn(tables: Needs<"sessions">, given: Named): Promise<PartnerSubject> {
  const { partner: partnerId, session, terminal, day = "", actionRequest = "" } = given;
  if (session !== undefined) return { kind: "payment", ...(await paymentKey(tables, { partner: partnerId, session })) };
  if (terminal !== undefined) return { kind: "terminalDay", partnerId, terminalId: terminal, day };
  return { kind: "actionRequest", partnerId, actionRequestId: actionRequest };
}
