import { z } from "zod";
import type { SettableStatus } from "../../domain/terminal.ts";
import { pointOfServiceID } from "../fields.ts";
import { values } from "../values.ts";

const settableStatus = values<SettableStatus>(
  "SettableStatus",
  "How the terminal is to be. Only `available` takes payments.",
  {
    available: "It takes payments.",
    closed: "It is closed.",
    maintenance: "It is being serviced.",
    cleaning: "It is being cleaned.",
    booked: "It is booked.",
    occupied: "It is occupied.",
  },
);

/**
 * The body of a status change. `busy` and `offline` are observed, not set. The target, an addition, may be left out where the key reaches
 * only one terminal.
 */
export const setTerminalStatusBody = z
  .object({
    statusCode: settableStatus,
    pointOfServiceID: pointOfServiceID
      .optional()
      .meta({ description: "May be left out where the apikey reaches one terminal only, or the query names it." }),
  })
  .meta({ id: "SetTerminalStatus" });
