import type { InboxSlot } from "../../domain/effects.ts";
import type { Instant } from "../../domain/time.ts";
import type { Announcement } from "../../ports/announcements.ts";
import type { Subject } from "../../ports/subjects.ts";

/** The present state of a subject. */
export interface Standing {
  readonly hasEnded: boolean;
  /** Marks the subject as unlisted. Throws `Conflict` if it changed since it was read. */
  readonly unlist: () => Promise<void>;
}

/** The outbox's rules for one kind of subject. */
export interface SubjectRules<Of> {
  /** Reads the subject; undefined if it does not exist, or not yet. */
  find(subject: Of): Promise<Standing | undefined>;
  /**
   * True if the command that ends the subject marks this (`leaves`). Otherwise the subject is read after each command that is carried out.
   */
  readonly endsByCommand?: true;
  /**
   * For a look at a subject of which nothing is due: the next moment at which something is, if there is one. Undefined if something is due,
   * or if the subject has not reached the change of the look.
   */
  seenBy?(subject: Of, announcement: Announcement): Promise<{ readonly next: Instant | undefined } | undefined>;
}

/** The rules of each kind of subject. The composition root supplies them, so the outbox does not depend on any subject. */
export type Subjects = { readonly [Kind in Subject["kind"]]: SubjectRules<Extract<Subject, { readonly kind: Kind }>> };

export const rulesOf = (subjects: Subjects, { kind }: Subject) => subjects[kind] as SubjectRules<Subject>;

/** The parts of a changed subject that its messages and events use. */
export interface Origin {
  /** The terminal of its messages. */
  readonly terminalId: string;
  readonly slot: InboxSlot;
  readonly sessionIdAsReceived: string | undefined;
  readonly updatedAt: Instant;
  /** The webhook address that the subject's own request names. */
  readonly webhookUrl: string | undefined;
  /** The subject as its events show it. */
  readonly data: () => unknown;
}
