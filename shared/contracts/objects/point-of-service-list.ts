import * as z from "zod";
import type { ObservedTerminal } from "../../domain/terminal.ts";
import { merchantID, pageLimit, pageSize, pointOfServiceID } from "../fields.ts";
import { can, device } from "./device.ts";
import { terminalStatusCode, terminalStatusObject, toTerminalStatusObject } from "./terminal-status.ts";

/** A terminal in a partner's list: its status, its names, and what it says of its device. */
const pointOfService = z
  .object({
    ...terminalStatusObject.shape,
    name: z.string().optional().meta({ description: "The terminal's name, as it was registered." }),
    merchantID,
    merchantName: z.string().optional().meta({ description: "The merchant's name, as it was registered." }),
    device: device.optional(),
    can,
    batteryPercent: z.int().min(0).max(100).optional().meta({
      description: "The charge of the battery at the last poll. Absent if the terminal did not name it.",
    }),
  })
  .meta({ id: "PointOfService", description: "A terminal, with its status and its device." });

/** A page of a partner's list of terminals. */
export const pointOfServiceListObject = z
  .object({
    pointOfServices: z.array(pointOfService).meta({
      description: "In the order of their identifiers. May be empty although there is a `next`.",
    }),
    next: z.string().optional().meta({ description: "The `after` of the next page. Absent on the last page." }),
  })
  .meta({ id: "PointOfServiceList", description: "A page of your terminals." });

/** The query of a partner's list of terminals. */
export const pointOfServiceListQuery = z.object({
  merchantID: merchantID.optional(),
  statusCode: terminalStatusCode.optional().meta({ description: "The terminal's status when its page is read." }),
  limit: pageLimit("terminals", pageSize),
  after: pointOfServiceID.optional().meta({ description: "`next` of the previous page." }),
});

export const terminalsOfPage = ({ limit = pageSize.usual }: z.infer<typeof pointOfServiceListQuery>): number => limit;

export const toPointOfServiceList = (page: {
  readonly terminals: readonly ObservedTerminal[];
  readonly next: string | undefined;
}): z.infer<typeof pointOfServiceListObject> => ({
  pointOfServices: page.terminals.map((terminal) => ({
    ...toTerminalStatusObject(terminal),
    name: terminal.name,
    merchantID: terminal.merchantId,
    merchantName: terminal.merchantName,
    device: terminal.described.device,
    can: [...terminal.described.can],
    batteryPercent: terminal.batteryPercent,
  })),
  next: page.next,
});
