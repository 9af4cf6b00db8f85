import { z } from "zod";
import { settableStatuses } from "../domain/terminal.ts";
import { identifier } from "./identifier.ts";

/** `busy` and `offline` are observed, not set. The target, an addition, may be left out where there is only one. */
export const setTerminalStatusBody = z.object({
  statusCode: z.enum(settableStatuses),
  pointOfServiceID: identifier.optional(),
});
