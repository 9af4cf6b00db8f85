import { isDeepStrictEqual } from "node:util";
import type * as z from "zod";
import { dayTotalsBody } from "../../../shared/contracts/requests/day-totals.ts";
import { readThrough } from "../../../shared/edge/http/read-through.ts";
import type { EndpointResponse } from "../../../shared/edge/http/response.ts";

/** The closings of one terminal's days. A repeated closing is a replay. The same identifier with other totals is rejected. */
export function newDayClosings() {
  const taken = new Map<string, z.infer<typeof dayTotalsBody>>();
  return {
    take(sent: unknown): EndpointResponse {
      const read = readThrough(dayTotalsBody, sent);
      if (!read.ok) return { problem: read.error };
      const { closingId, idAsReceived, ...said } = read.value;
      const before = taken.get(closingId);
      if (before && !isDeepStrictEqual({ ...before, closingId, idAsReceived }, { ...said, closingId, idAsReceived }))
        return { problem: { code: "idempotency_mismatch" } };
      taken.set(closingId, read.value);
      return { status: 200, body: { closingID: idAsReceived, recorded: true }, replayed: before !== undefined };
    },
  };
}
