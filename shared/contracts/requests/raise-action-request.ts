import * as z from "zod";
import {
  actionCode,
  actionData,
  actionDataLimits,
  actionDescription,
  actionRequestID,
  sessionOfAction,
} from "../fields.ts";
import { withoutCardData } from "../../domain/card-data.ts";
import { cleanText } from "../../domain/texts.ts";
import { canonical } from "../identifier.ts";

/**
 * Reads `actionData` and reports only one problem. A body can have thousands of members, and a schema that checks each of them would delay
 * all other callers.
 */
const sentData = z.unknown().transform((sent, context): ActionData => {
  if (isActionData(sent)) return sent;
  const { name, text } = actionDataLimits;
  const message = `must be an object of texts of at most ${text} characters, numbers, true and false, with different names of at most ${name} characters`;
  context.addIssue({ code: "custom", message });
  return z.NEVER;
});

type ActionData = z.infer<typeof actionData>;

function isActionData(sent: unknown): sent is ActionData {
  if (typeof sent !== "object" || sent === null || Array.isArray(sent)) return false;
  const members = sent as Readonly<Record<string, unknown>>;
  const names = Object.keys(members);
  return (
    names.every((name) => name.length <= actionDataLimits.name && isDatum(members[name])) &&
    new Set(names.map(storable)).size === names.length
  );
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

const storable = (text: string): string => cleanText(withoutCardData(text));

/** A datum without card data. A number that is a card number becomes a text. */
function storableDatum(datum: string | number | boolean): string | number | boolean {
  if (typeof datum === "string") return storable(datum);
  return holdsCardData(datum) ? withoutCardData(String(datum)) : datum;
}

const storableData = (data: ActionData): ActionData =>
  Object.fromEntries(Object.entries(data).map(([name, datum]) => [storable(name), storableDatum(datum)]));

const holdsCardData = (datum: string | number | boolean): boolean => withoutCardData(String(datum)) !== String(datum);

/** `cardDataIn` names the members that held card data. The texts are clean, and only the last four digits of a card number are kept. */
export const raisedActionBody = raisedAction.extend({ data: sentData.optional() }).transform((body) => ({
  actionRequestId: canonical(body.actionRequestID),
  idAsReceived: body.actionRequestID,
  actionCode: cleanText(body.actionCode),
  description: body.description && storable(body.description),
  data: body.data && storableData(body.data),
  sessionId: body.sessionID === undefined ? undefined : canonical(body.sessionID),
  code: body.code,
  withdraw: body.withdraw,
  cardDataIn: [
    ...(holdsCardData(body.description ?? "") ? ["description"] : []),
    ...(Object.entries(body.data ?? {})
      .flat()
      .some(holdsCardData)
      ? ["data"]
      : []),
  ],
}));
