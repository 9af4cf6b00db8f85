import { paymentSubjectOf, type Subject } from "../../../ports/subjects.ts";
import type { InboxRow } from "../../../stores/inboxes.ts";
import type { Place } from "../../../stores/marks.ts";
import { openRow } from "../../../stores/subject-rows.ts";
import type { Needs } from "../../needs.ts";

export type PaymentSubject = Extract<Subject, { readonly kind: "payment" }>;

/** The open subjects of a place. For a terminal also the messages that it has not answered, and the payments that have held ones. */
export interface OpenAt {
  readonly subjects: readonly Subject[];
  readonly inbox: readonly InboxRow[];
}

/** Reads the marks and the inbox. A payment with a held message may have ended, so no mark need name it. */
export async function openAt({ marks, inboxes }: Needs<"inboxes" | "marks">, place: Place): Promise<OpenAt> {
  const [open, inbox] = await Promise.all([
    marks.open(place),
    place.kind === "terminal" ? inboxes.unanswered(place.terminalId) : [],
  ]);
  if (place.kind !== "terminal") return { subjects: open, inbox };
  const held = inbox
    .filter(({ isHeld }) => isHeld)
    .map(({ slot: { sessionId } }) => paymentSubjectOf({ ...place, sessionId }));
  const subjects = [...new Map([...open, ...held].map((subject) => [openRow(subject), subject])).values()];
  return { subjects, inbox };
}

/** The messages of the payment among those of its terminal. */
export const messagesOf = (inbox: readonly InboxRow[], { sessionId }: PaymentSubject): readonly InboxRow[] =>
  inbox.filter(({ slot }) => slot.sessionId === sessionId);
