import * as z from "zod";
import {
  actionCode,
  actionData,
  actionDataLimits,
  actionDescription,
  actionRequestID,
  sessionOfAction,
} from "../fields.ts";
import { holdsCardNumber, withoutCardNumbers } from "../../domain/card-number.ts";
import { canonical } from "../identifier.ts";

/**
 * Reads `actionData` and reports only one problem. A body can have thousands of members, and a schema that checks each of them would delay
 * all other callers.
 */
const sentData = z.unknown().transform((sent, context): ActionData => {
  if (isActionData(sent)) return sent;
  const { name, text } = actionDataLimits;
  const message = `must be an object of texts of at most ${text} characters, numbers, true and false, with names of at most ${name} characters`;
  context.addIssue({ code: "custom", message });
  return z.NEVER;
});

type ActionData = z.infer<typeof actionData>;

function isActionData(sent: unknown): sent is ActionData {
  if (typeof sent !== "object" || sent === null || Array.isArray(sent)) return false;
  const members = sent as Readonly<Record<string, unknown>>;
  return Object.keys(members).every((name) => name.length <= actionDataLimits.name && isDatum(members[name]));
}

const isDatum = (value: unknown): boolean =>
  typeof value === "string"
    ? value.length <= actionDataLimits.text
    : typeof value === "number" || typeof value === "boolean";

/** A terminal's action request, or its withdrawal with `withdraw: true`, as the documents show it. */
export const raisedAction = z
  .object({
    actionRequestID,
    actionCode,
    description: actionDescription.optional(),
    data: actionData.optional(),
    sessionID: sessionOfAction,
    code: z.string().min(1).max(64).optional().meta({ description: "The code of the shown voucher or key." }),
    withdraw: z.boolean().default(false).meta({ description: "Withdraws the question." }),
  })
  .meta({ id: "RaisedActionRequest" });

/** A datum without a card number. A number that is a card number becomes a text. */
function unnumbered(datum: string | number | boolean): string | number | boolean {
  if (typeof datum === "boolean") return datum;
  const text = String(datum);
  return holdsCardNumber(text) ? withoutCardNumbers(text) : datum;
}

/** `cardNumbersIn` names the members that held a card number. Only the last four digits of a card number are kept. */
export const raisedActionBody = raisedAction.extend({ data: sentData.optional() }).transform((body) => ({
  actionRequestId: canonical(body.actionRequestID),
  idAsReceived: body.actionRequestID,
  actionCode: body.actionCode,
  description: body.description && withoutCardNumbers(body.description),
  data:
    body.data &&
    Object.fromEntries(Object.entries(body.data).map(([name, datum]) => [withoutCardNumbers(name), unnumbered(datum)])),
  sessionId: body.sessionID === undefined ? undefined : canonical(body.sessionID),
  code: body.code,
  withdraw: body.withdraw,
  cardNumbersIn: [
    ...(holdsCardNumber(body.description ?? "") ? ["description"] : []),
    ...(Object.entries(body.data ?? {})
      .flat()
      .some((datum) => holdsCardNumber(String(datum)))
      ? ["data"]
      : []),
  ],
}));
