import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { subjectOfEvent } from "../../../live/event-subject.ts";

const partnerId = randomUUID();
const id = randomUUID();
const sessionID = randomUUID().toUpperCase();
const event = (data: object) => subjectOfEvent(partnerId, JSON.stringify({ id: "e", type: "t", data }));

describe("an event that the built-in receiver received", () => {
  it("belongs to its payment, in the spelling of the records", () => {
    expect(event({ sessionID, pointOfServiceID: id.toUpperCase(), status: "captured" })).toEqual({
      kind: "payment",
      partnerId,
      terminalId: id,
      sessionId: sessionID.toLowerCase(),
    });
  });

  it("belongs to a terminal's day, or to an action request, even if that names a session", () => {
    expect(event({ pointOfServiceID: id, businessDay: "2026-11-21" })).toEqual({
      kind: "terminalDay",
      partnerId,
      terminalId: id,
      day: "2026-11-21",
    });
    expect(event({ actionRequestID: id, sessionID })).toEqual({
      kind: "actionRequest",
      partnerId,
      actionRequestId: id,
    });
  });

  it.each(["", "{", "null", "{}", '{"data":{}}', '{"data":{"sessionID":1}}'])(
    "belongs to nothing if it is %j",
    (body) => {
      expect(subjectOfEvent(partnerId, body)).toBeUndefined();
    },
  );
});
