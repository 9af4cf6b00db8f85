import * as z from "zod";
import { reportID } from "../fields.ts";

/** The response to a report. The platform has stored the report, and the terminal need not send it again. */
export const reportRecorded = z
  .object({ reportID, recorded: z.literal(true).meta({ description: "The report is stored." }) })
  .meta({ id: "Recorded" });
