import * as z from "zod";
import { holdsCardNumber } from "../domain/card-data.ts";
import { isPortable } from "../domain/texts.ts";
import { isDay } from "../domain/time.ts";
import { identifier } from "./identifier.ts";
import { values } from "./values.ts";

// Members that mean the same in every object, with their descriptions for the documentation.

const moment = (description: string) => z.string().meta({ format: "date-time", description });
const named = (description: string) => identifier.meta({ description });

export const sessionID = named("The payment session.");
export const merchantID = named("The merchant.");
export const pointOfServiceID = named("The terminal.");
export const refundID = named("The refund.");
export const chargeID = named("The charge of a card. The terminal makes one identifier for each charge.");
export const discountID = named("The discount.");
export const actionRequestID = named("The action request.");
export const accessTokenID = named("The voucher or key.");
export const landingPageID = named("The landing page.");
export const productID = named("The product that the voucher or key is for.");
export const templateAccessTokenID = named("The template that vouchers or keys are made from.");
export const messageID = named("The message. A terminal carries it out once.");
/** A day as a caller sends it. A wrong one is told its form, which `z.iso.date()` would not do. */
export const sentDay = z.string().refine(isDay, "must be a day such as 2026-11-21").meta({ format: "date" });
export const businessDay = sentDay.meta({
  pattern: String.raw`^\d{4}-\d{2}-\d{2}$`,
  description: "A terminal's business day, `2026-11-21`.",
  param: { example: "2026-11-21" },
});
/** A business day in a path. */
export const dateInPath = z.object({ date: businessDay.meta({ description: "The day, `2026-11-21`." }) });
export const closingID = named(
  "The closing of a business day. The terminal makes the identifier, and a new one for corrected totals.",
);
export const reportID = named("The report. It is recorded once.");

/** The most items of a page, and the number if the request names none. */
interface PageSize {
  readonly most: number;
  readonly usual: number;
}

/** The query's number of items on a page. `items` names them in the plural. */
export const pageLimit = (items: string, { most, usual }: PageSize) =>
  z.coerce
    .number()
    .int()
    .min(1)
    .max(most)
    .optional()
    .meta({ description: `The maximum number of ${items} on a page. ${usual} by default.` });

/** The size of a page of payments or terminals. */
export const pageSize: PageSize = { most: 100, usual: 50 };

/** A number of movements of money. */
export const movements = z.int().min(0).max(1_000_000);

/** A moment in UTC, as responses write it: `2026-11-21T10:30:00.000Z`. */
export const createdAt = moment("The time of creation.");
export const updatedAt = moment("The time of the last change.");
export const instant = moment("A moment in UTC.");

/** A text of a partner or a customer, of at most `most` characters. It is stored unchanged. */
export const sentText = (most: number) =>
  z.string().max(most).refine(isPortable, "must not contain NUL or half of a surrogate pair");

/** A partner's text for people. A text with a card number is rejected. */
export const freeText = (most: number) =>
  sentText(most).refine((text) => !holdsCardNumber(text), "must not contain a card number");

export const merchantName = freeText(128).meta({ description: "The merchant's name, as customers know it." });
export const pointOfServiceName = freeText(128).meta({ description: "The terminal's name, as people know it." });
export const captureMode = values("CaptureMode", "When an approved payment is captured.", {
  manual: "You request the capture.",
  automatic: "The terminal captures with the approval.",
});

const MOST_METADATA = 10;
/** A partner's own names and values. No terminal gets them. */
export const metadata = z
  .record(
    sentText(40).regex(
      /^[A-Za-z][\w.-]*$/,
      "must begin with a letter, and have only letters, digits, `_`, `.` and `-`",
    ),
    freeText(200),
  )
  .refine((named) => Object.keys(named).length <= MOST_METADATA, `must not have more than ${MOST_METADATA} names`)
  .meta({
    maxProperties: MOST_METADATA,
    description:
      "Your own names and values, stored unchanged and returned in every object and event. A name has up to 40 characters, and begins with a letter. A value has up to 200 characters. The first request's values stay.",
  });

const reference = sentText(64);
export const merchantReferences = z
  .object({
    orderId: reference.optional().meta({
      description: "Your order. A second payment of the same order is detected. A blank value counts as absent.",
    }),
    paymentId: reference.optional().meta({ description: "Your payment." }),
  })
  .meta({ id: "MerchantReferences", description: "Your own references, stored unchanged." });

export const actionCode = z
  .string()
  .min(1)
  .max(64)
  .meta({ description: "The requested action, by a name that you and the terminal's maker agreed on." });
export const actionDescription = z
  .string()
  .max(256)
  .meta({ description: "The requested action, as a text for people." });
/** The maximum lengths in `actionData`, in UTF-16 units. */
export const actionDataLimits = { name: 64, text: 256 } as const;
export const actionData = z
  .record(
    z.string().max(actionDataLimits.name),
    z.union([z.string().max(actionDataLimits.text), z.number(), z.boolean()]),
  )
  .meta({
    description: "Further data of the terminal. A name must not contain a quote, a backslash or a control character.",
  });
export const sessionOfAction = sessionID.optional().meta({ description: "The payment that the request belongs to." });

export const button = z.int().min(0).max(9_999).meta({ description: "The chosen button of the page." });

/** The constant with which a body names its operation. */
export const msgType = <const Type extends string>(type: Type) =>
  z.literal(type).meta({ description: "The operation's constant." });

/** A header `Idempotency-Key`. Servers on the way may write characters beyond ASCII in different ways. */
const keyText = (pattern: RegExp) =>
  z
    .string()
    .max(255)
    .refine((key) => pattern.test(key), "must be printable ASCII, with a letter or a digit")
    .meta({ pattern: pattern.source });

/** The key of a refund or a discount, which it names. An empty one names nothing. */
export const idempotencyKey = keyText(/^([ -~]*[0-9A-Za-z][ -~]*)?$/).optional();

/** The key of any other request, which it binds to its session or action request. */
export const bindingKey = keyText(/^[ -~]*[0-9A-Za-z][ -~]*$/)
  .optional()
  .meta({
    description:
      "Makes a retry safe, even if it names another session. The key is kept for seven days once a request with it is accepted.",
  });
