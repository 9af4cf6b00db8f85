import { z } from "zod";
import { settableStatuses } from "../../domain/terminal.ts";
import { pointOfServiceID } from "../fields.ts";

/**
 * The body of a status change. `busy` and `offline` are observed, not set. The target, an addition, may be left out where the key reaches
 * only one terminal.
 */
export const setTerminalStatusBody = z
  .object({
    statusCode: z.enum(settableStatuses).meta({ description: "Anything but `available` refuses new payments." }),
    pointOfServiceID: pointOfServiceID
      .optional()
      .meta({ description: "May be left out where the apikey reaches one terminal only, or the query names it." }),
  })
  .meta({ id: "SetTerminalStatus" });
