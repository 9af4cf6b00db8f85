import type { PartnerSubject } from "../../../shared/ports/subjects.ts";
import { UsageError } from "../../script.ts";
import { day, identifier, required } from "../words.ts";

/** The options that name what webhooks are about: a payment, a terminal's business day, or an action request. */
export const subjectOptions = {
  partner: required(identifier("partnerID", "the partner that gets the webhooks")),
  session: identifier("sessionID", "of this payment"),
  terminal: identifier("pointOfServiceID", "of this terminal's business day, with --day"),
  day: day("the terminal's business day"),
  "action-request": identifier("actionRequestID", "of this action request"),
};

interface Named {
  readonly partner: string;
  readonly session: string | undefined;
  readonly terminal: string | undefined;
  readonly day: string | undefined;
  readonly "action-request": string | undefined;
}

/** The subject that the options name. Throws `UsageError` where they name none or more than one. */
export function subjectIn({ partner: partnerId, session, terminal, day, ...given }: Named): PartnerSubject {
  const action = given["action-request"];
  const named: (PartnerSubject | undefined)[] = [
    session === undefined ? undefined : { kind: "payment", partnerId, sessionId: session },
    terminal === undefined || day === undefined
      ? undefined
      : { kind: "terminalDay", partnerId, terminalId: terminal, day },
    action === undefined ? undefined : { kind: "actionRequest", partnerId, actionRequestId: action },
  ];
  const [subject, ...others] = named.filter((one) => one !== undefined);
  if (!subject || others.length > 0 || (terminal === undefined) !== (day === undefined))
    throw new UsageError("Say --session, or --terminal with --day, or --action-request.");
  return subject;
}
