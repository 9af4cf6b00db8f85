import * as z from "zod";
import { pointOfServiceID } from "../fields.ts";
import { settableMeanings } from "../objects/terminal-status.ts";
import { values } from "../values.ts";

const settableStatus = values(
  "SettableStatus",
  "The new status. Only an `available` terminal takes payments.",
  settableMeanings,
);

/**
 * The body of a status change. `busy` and `offline` are observed, not set. The target is an addition to the specification. It may be left
 * out if the key reaches only one terminal.
 */
export const setTerminalStatusBody = z
  .object({
    statusCode: settableStatus,
    pointOfServiceID: pointOfServiceID
      .optional()
      .meta({ description: "Optional if the apikey reaches only one terminal, or if the query names the terminal." }),
  })
  .meta({ id: "SetTerminalStatus" });
