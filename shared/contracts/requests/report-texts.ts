import * as z from "zod";
import { MAX_LINES, textLimits } from "../../domain/payment/record/record-limits.ts";
import { withoutCardData } from "../../domain/card-data.ts";
import { deviceLimits } from "../../domain/device.ts";
import { declineCodeOf } from "../../domain/payment/record/decline-code.ts";
import { storableText } from "../../domain/texts.ts";
import { amount } from "../amount.ts";
import { businessDay, messageID } from "../fields.ts";
import { acquirer, card, receipt } from "../objects/card-receipt.ts";
import { hostCode } from "../objects/decline-codes.ts";
import { device } from "../objects/device.ts";

/** The most that a terminal's clock is believed: 30 days. */
const MOST_AGO_MS = 30 * 24 * 3600 * 1000;

/** How long ago a reported event happened. */
export const agoMs = z.int().min(0).max(MOST_AGO_MS).meta({
  description:
    "The milliseconds since the event happened, by the terminal's monotonic clock, set anew each time the report is sent. Left out if unknown, as after a power cut. An approval that happened before `expiresAt` is in time, however late its report is.",
});

type Members = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value);

type ReadText = (value: unknown, most: number) => string | undefined;

/** A name from another system: its digits have no meaning. */
const reference: ReadText = (value, most) => (typeof value === "string" ? storableText(value, most) : undefined);

/** A text for people. */
const text: ReadText = (value, most) => reference(typeof value === "string" ? withoutCardData(value) : value, most);

/**
 * The lines of a receipt. A line that is not a text becomes an empty one. A missing line does too, because `null` elements were already
 * removed.
 */
const lines = (value: unknown): string[] | undefined =>
  Array.isArray(value)
    ? Array.from<unknown, string>(value.slice(0, MAX_LINES), (line) => text(line, textLimits.line) ?? "")
    : undefined;

/** The members of a schema whose texts can be read, each as its schema requires it. Other members are left out. */
function texts(schema: z.ZodObject, value: unknown, read: ReadText): Members | undefined {
  if (!isObject(value)) return undefined;
  const members = Object.entries(schema.shape).flatMap(([name, member]): [string, unknown][] => {
    const parsed = z.safeParse(member, read(value[name], textLimits.short));
    return parsed.success && parsed.data !== undefined ? [[name, parsed.data]] : [];
  });
  return Object.fromEntries(members);
}

/** The members of a report whose free texts hold card data, at any depth. */
export function membersWithCardData(sent: unknown): readonly string[] {
  if (!isObject(sent)) return [];
  const holds = (value: unknown): boolean =>
    typeof value === "string"
      ? withoutCardData(value) !== value
      : typeof value === "object" && value !== null && Object.values(value).some(holds);
  return ["detail", "card", "receipt"].filter((name) => holds(sent[name]));
}

/**
 * Returns the members of a payment's report that its schema names. Free texts are made storable, and card data is removed. Free-text
 * members that are not texts are left out.
 *
 * A report is only rejected for its identifiers, type, amount and currency. A wrong `messageID`, `businessDay`, `tipAmount`
 * or `agoMs` is left out.
 */
export function withStorableTexts(sent: unknown, members: readonly string[]): unknown {
  if (!isObject(sent)) return sent;
  const printed = isObject(sent["receipt"]) ? sent["receipt"] : undefined;
  return {
    ...Object.fromEntries(members.map((name) => [name, sent[name]])),
    messageID: messageID.safeParse(sent["messageID"]).data,
    businessDay: businessDay.safeParse(sent["businessDay"]).data,
    agoMs: agoMs.safeParse(sent["agoMs"]).data,
    tipAmount: amount.safeParse(sent["tipAmount"]).data,
    detail: text(sent["detail"], textLimits.detail),
    declineCode: declineCodeOf(sent["declineCode"]),
    hostCode: hostCode.safeParse(sent["hostCode"]).data,
    card: texts(card, sent["card"], text),
    acquirer: texts(acquirer, sent["acquirer"], reference),
    receipt: printed && receipt.parse({ customer: lines(printed["customer"]), merchant: lines(printed["merchant"]) }),
  };
}

/** Returns a start with what can be read of its device and its abilities. It is never rejected for them. */
export function withStorableDevice(sent: unknown): unknown {
  if (!isObject(sent)) return sent;
  const facts = { ...texts(device, sent["device"], text), ...texts(serial, sent["device"], reference) };
  const abilities = Array.isArray(sent["can"]) ? sent["can"].map((name) => text(name, deviceLimits.text)) : [];
  return {
    ...sent,
    device: Object.keys(facts).length > 0 ? facts : undefined,
    can: [...new Set(abilities.filter(Boolean))].slice(0, deviceLimits.abilities),
  };
}

/** A serial number is not a text for people: its digits may look like those of a card. */
const serial = device.pick({ serialNumber: true });
