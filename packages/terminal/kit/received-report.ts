/** A report that the terminal sent. Identifiers are in lower case. */
export interface ReceivedReport {
  /** The index of its exchange, from 0. */
  readonly index: number;
  /** The power-up in which it was sent, from 0. */
  readonly powerUp: number;
  readonly type: string;
  readonly reportID: string;
  readonly sessionID: string | undefined;
  readonly messageID: string | undefined;
  readonly chargeID: string | undefined;
  readonly body: Readonly<Record<string, unknown>>;
  /** The message that it answers according to the platform. Undefined if it answers no message, or was not taken. */
  readonly answers: string | undefined;
  /** Whether a report with this identifier was taken before. */
  readonly isRepeat: boolean;
  readonly isTaken: boolean;
}

type Members = Readonly<Record<string, unknown>>;

/** The members of a body. Empty if it is not an object. */
export const membersOf = (sent: unknown): Members =>
  typeof sent === "object" && sent !== null ? (sent as Members) : {};

/** A report before its exchange is recorded. */
export type Draft = Omit<ReceivedReport, "index" | "powerUp">;

/** A report that was not taken. */
export function draftOf(body: Members): Draft {
  const id = (name: string) => (typeof body[name] === "string" ? body[name].toLowerCase() : undefined);
  return {
    type: String(body["type"]),
    reportID: id("reportID") ?? "",
    sessionID: id("sessionID"),
    messageID: id("messageID"),
    chargeID: id("chargeID"),
    body,
    answers: undefined,
    isRepeat: false,
    isTaken: false,
  };
}
