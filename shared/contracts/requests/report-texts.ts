import { z } from "zod";
import { MAX_LINES, textLimits } from "../../domain/payment/limits.ts";
import { storableText } from "../../domain/stored-text.ts";
import { messageID } from "../fields.ts";
import { acquirer, card, receipt } from "../objects/card-receipt.ts";

type Members = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const text = (value: unknown, most: number): string | undefined =>
  typeof value === "string" ? storableText(value, most) : undefined;

/** Each line that is no text is an empty one, also where there is none: a `null` in a list was taken out of it before. */
const lines = (value: unknown): string[] | undefined =>
  Array.isArray(value)
    ? Array.from<unknown, string>(value.slice(0, MAX_LINES), (line) => text(line, textLimits.line) ?? "")
    : undefined;

/** The members of a schema whose texts can be read, each as its schema has it; what cannot be is left out. */
function texts(schema: z.ZodObject, value: unknown): Members | undefined {
  if (!isObject(value)) return undefined;
  const read = Object.entries(schema.shape).flatMap(([name, member]): [string, unknown][] => {
    const parsed = z.safeParse(member, text(value[name], textLimits.short));
    return parsed.success && parsed.data !== undefined ? [[name, parsed.data]] : [];
  });
  return Object.fromEntries(read);
}

/**
 * The members of a payment's report that its schema names, with its free texts made storable, and without those that are no texts: what
 * a terminal says beside identifiers, type, amount and currency is never a reason to lose the report. Nor is a `messageID` that is no
 * identifier: it names no message, and is left out.
 */
export function withStorableTexts(sent: unknown, members: readonly string[]): unknown {
  if (!isObject(sent)) return sent;
  const told = isObject(sent["receipt"]) ? sent["receipt"] : undefined;
  return {
    ...Object.fromEntries(members.map((name) => [name, sent[name]])),
    messageID: messageID.safeParse(sent["messageID"]).data,
    detail: text(sent["detail"], textLimits.detail),
    card: texts(card, sent["card"]),
    acquirer: texts(acquirer, sent["acquirer"]),
    receipt: told && receipt.parse({ customer: lines(told["customer"]), merchant: lines(told["merchant"]) }),
  };
}
