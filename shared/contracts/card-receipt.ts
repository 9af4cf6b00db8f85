import { z } from "zod";

// What a terminal tells of the card and its receipt, and partners are told on.

const short = z.string().max(64);
const lines = z.array(z.string().max(120)).max(100);

export const card = z
  .object({
    brand: short.optional(),
    last4: z
      .string()
      .regex(/^\d{4}$/)
      .optional(),
    entryMode: short.optional(),
  })
  .meta({ id: "Card" });

export const acquirer = z
  .object({
    authorisationCode: short.optional(),
    rrn: short.optional().meta({ description: "Retrieval reference number." }),
    stan: short.optional().meta({ description: "System trace audit number." }),
    tid: short.optional().meta({ description: "The acquirer's name for the terminal." }),
    mid: short.optional().meta({ description: "The acquirer's name for the merchant." }),
  })
  .meta({ id: "Acquirer", description: "References to be given to the acquirer when a payment is looked for." });

export const receipt = z
  .object({ customer: lines.optional(), merchant: lines.optional() })
  .meta({ id: "Receipt", description: "Lines of text, as the terminal prints them." });
