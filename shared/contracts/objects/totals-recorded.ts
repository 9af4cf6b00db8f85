import * as z from "zod";
import { closingID } from "../fields.ts";

/** The response to a terminal's totals. The platform has stored the totals, and the terminal need not send them again. */
export const totalsRecorded = z
  .object({ closingID, recorded: z.literal(true).meta({ description: "The totals are stored." }) })
  .meta({ id: "TotalsRecorded" });
