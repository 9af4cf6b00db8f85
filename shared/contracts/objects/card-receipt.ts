import * as z from "zod";
import { MAX_LINES, textLimits } from "../../domain/payment/record/record-limits.ts";

// The parts of a terminal's report about the card and its receipt. Partners get them too.

const short = z.string().max(textLimits.short);
/** A short word such as `contactless` or `American Express`. */
const word = z
  .string()
  .max(32)
  .regex(/^[A-Za-z][A-Za-z\d .&+_-]*$/);
/** A name from another system. Its form is limited, and its digits have no meaning. */
const reference = short.regex(/^[\w.:/-]+$/);
const lines = z.array(z.string().max(textLimits.line)).max(MAX_LINES);

export const card = z
  .object({
    brand: word.optional().meta({ description: "Visa, Mastercard, …" }),
    last4: z
      .string()
      .regex(/^\d{4}$/)
      .optional()
      .meta({ description: "The card number's last four digits." }),
    entryMode: word.optional().meta({ description: "contactless, chip, …" }),
  })
  .meta({ id: "Card" });

export const acquirer = z
  .object({
    authorisationCode: reference.optional().meta({ description: "The issuer's approval code." }),
    rrn: reference.optional().meta({ description: "Retrieval reference number." }),
    stan: reference.optional().meta({ description: "System trace audit number." }),
    tid: reference.optional().meta({ description: "The acquirer's name for the terminal." }),
    mid: reference.optional().meta({ description: "The acquirer's name for the merchant." }),
  })
  .meta({ id: "Acquirer", description: "References for questions to the acquirer." });

/** The card and the references of one movement. */
export const evidence = z.object({ card: card.optional(), acquirer: acquirer.optional() }).meta({
  id: "Evidence",
  description: "The card and the acquirer's references that the terminal reported with this movement.",
});

export const receipt = z
  .object({
    customer: lines.optional().meta({ description: "For the customer." }),
    merchant: lines.optional().meta({ description: "For the merchant." }),
  })
  .meta({ id: "Receipt", description: "Lines of text, as the terminal prints them." });
