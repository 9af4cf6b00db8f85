import * as z from "zod";
import { pointOfServiceID } from "../fields.ts";
import { settableMeanings } from "../objects/terminal-status.ts";
import { values } from "../values.ts";

const settableStatus = values(
  "SettableStatus",
  "How the terminal is to be. Only `available` takes payments.",
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
      .meta({ description: "May be left out where the apikey reaches one terminal only, or the query names it." }),
  })
  .meta({ id: "SetTerminalStatus" });
