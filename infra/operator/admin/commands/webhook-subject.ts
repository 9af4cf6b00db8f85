import type { PartnerSubject } from "../../../../shared/ports/subjects.ts";
import { UsageError } from "../../../tools/script.ts";
import type { Given } from "../command.ts";
import { day, identifier, option, required } from "../words.ts";

/** The options that name the subject of webhooks: a payment, a terminal's business day, or an action request. */
export const subjectOptions = [
  required("--partner <partnerID>", "the partner that gets the webhooks", identifier),
  option("--session <sessionID>", "webhooks of this payment", identifier),
  option("--terminal <pointOfServiceID>", "webhooks of this terminal's business day, with --day", identifier),
  option("--day <YYYY-MM-DD>", "the terminal's business day", day),
  option("--action-request <actionRequestID>", "webhooks of this action request", identifier),
];

/** The subject that the options name. Throws `UsageError` if they name none, or more than one. */
export function subjectIn(given: Given<typeof subjectOptions>): PartnerSubject {
  const { partner: partnerId, session, terminal, day, actionRequest: action } = given;
  const named: (PartnerSubject | undefined)[] = [
    session === undefined ? undefined : { kind: "payment", partnerId, sessionId: session },
    terminal === undefined || day === undefined
      ? undefined
      : { kind: "terminalDay", partnerId, terminalId: terminal, day },
    action === undefined ? undefined : { kind: "actionRequest", partnerId, actionRequestId: action },
  ];
  const [subject, ...others] = named.filter((one) => one !== undefined);
  if (!subject || others.length > 0 || (terminal === undefined) !== (day === undefined))
    throw new UsageError("Use --session, or --terminal with --day, or --action-request.");
  return subject;
}
