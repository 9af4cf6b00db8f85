import * as z from "zod";
import type { PartnerSubject } from "../../../shared/ports/subjects.ts";

const lower = z.string().transform((text) => text.toLowerCase());

/** The `data` objects of events, the most specific identifier first: an action request may also name a session. */
const subjects = z.object({
  data: z.union([
    z
      .object({ actionRequestID: lower })
      .transform(({ actionRequestID }) => ({ kind: "actionRequest", actionRequestId: actionRequestID }) as const),
    z
      .object({ pointOfServiceID: lower, businessDay: z.string() })
      .transform(
        (data) => ({ kind: "terminalDay", terminalId: data.pointOfServiceID, day: data.businessDay }) as const,
      ),
    z
      .object({ sessionID: lower, pointOfServiceID: lower })
      .transform(
        ({ sessionID, pointOfServiceID }) =>
          ({ kind: "payment", terminalId: pointOfServiceID, sessionId: sessionID }) as const,
      ),
  ]),
});

/** The subject of an event that a partner received. Undefined if its body is not one of the platform's. */
export function subjectOfEvent(partnerId: string, body: string): PartnerSubject | undefined {
  try {
    const { success, data } = subjects.safeParse(JSON.parse(body));
    return success ? { partnerId, ...data.data } : undefined;
  } catch {
    return undefined; // not JSON
  }
}
