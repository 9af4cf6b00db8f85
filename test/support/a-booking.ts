import type { Booking } from "../../shared/domain/booking.ts";

let sessions = 0;

/** The capture of 125.50 SEK on 21 November, in a session of its own. */
export function aBooking(more: Partial<Booking> = {}): Booking {
  const sessionId = `eeeeeeee-0000-4000-8000-${String(++sessions).padStart(12, "0")}`;
  const { terminalId = "cccccccc-0000-4000-8000-000000000001", merchantId = "bbbbbbbb-0000-4000-8000-000000000001" } =
    more;
  return {
    partnerId: "aaaaaaaa-0000-4000-8000-000000000001",
    terminalId,
    merchantId,
    sessionId,
    asReceived: { sessionId: sessionId.toUpperCase(), merchantId, terminalId },
    sequence: 4,
    number: 1,
    businessDay: "2026-11-21",
    kind: "capture",
    direction: "credit",
    amount: 12_550,
    currency: "SEK",
    chargeId: "charge-1",
    at: "2026-11-21T10:30:00.000Z",
    ...more,
  };
}
