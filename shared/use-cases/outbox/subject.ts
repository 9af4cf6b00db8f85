import type { InboxSlot } from "../../domain/effects.ts";
import type { Instant } from "../../domain/time.ts";
import type { Announcement } from "../../ports/announcements.ts";
import type { Subject } from "../../ports/subjects.ts";

/** A subject as it stands. */
export interface Standing {
  readonly hasEnded: boolean;
  /** Writes it as unlisted. Throws `Conflict` if it changed since it was read. */
  readonly unlist: () => Promise<void>;
}

/** One kind of subject, as far as the outbox needs to know it. */
export interface SubjectRules<Of> {
  /** Reads the subject; undefined if it does not exist, or not yet. */
  find(subject: Of): Promise<Standing | undefined>;
  /** The command that ends it says so (`leaves`). Otherwise each command that is carried out has the subject read. */
  readonly endsByCommand?: true;
  /** Whether the subject itself shows that an announced deadline has nothing to do, so that its command need not be read. */
  isPointless?(subject: Of, announcement: Announcement): Promise<boolean>;
}

/** The rules of each kind of subject. The outbox takes them from the composition root, and knows no subject itself. */
export type Subjects = { readonly [Kind in Subject["kind"]]: SubjectRules<Extract<Subject, { readonly kind: Kind }>> };

export const rulesOf = (subjects: Subjects, { kind }: Subject) => subjects[kind] as SubjectRules<Subject>;

/** Whether the announcement is a deadline that has nothing to do, as its subject itself shows. */
export const isPointless = async (subjects: Subjects, announcement: Announcement): Promise<boolean> =>
  (await rulesOf(subjects, announcement.subject).isPointless?.(announcement.subject, announcement)) ?? false;

/** The parts of a changed subject that its messages and events take. */
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
