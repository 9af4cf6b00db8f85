import { z } from "zod";
import { storedEffectRecord } from "../domain/effects.ts";
import type { RecordOf } from "../domain/record.ts";
import { instant } from "../domain/time.ts";
import { subjectRecord, type PartnerSubject, type Subject } from "./subjects.ts";

/** One attempt to deliver a webhook, as the timeline tells it. */
export const attemptRecord = z.object({
  eventId: z.string(),
  type: z.string(),
  /** From 1. */
  attempt: z.int(),
  at: instant,
  outcome: z.string(),
  status: z.int().optional(),
  ms: z.number(),
});
export interface WebhookAttempt extends RecordOf<typeof attemptRecord> {}

/** The server has the event, or wants no more of them: no attempt comes after it. */
export const isTaken = ({ outcome }: WebhookAttempt): boolean => outcome === "delivered" || outcome === "gone";

const eventContentRecord = z.object({
  /** The subject, as JSON: an answer's object. */
  data: z.unknown(),
  /** Where the subject's own request wants it sent; otherwise where the partner says. */
  url: z.string().optional(),
});
export interface EventContent extends RecordOf<typeof eventContentRecord> {}

/** A command as its row holds it. */
export const commandRecord = z.object({
  commandId: z.string(),
  subject: subjectRecord,
  /** `void`: it was not committed in time and never can be. */
  state: z.enum(["ready", "aborted"]),
  /** The sequence of the change that committed it. */
  sequence: z.int(),
  /** When that change was made; undefined for one that never was. */
  at: instant.optional(),
  effects: z.array(storedEffectRecord),
  /** What its webhooks tell, frozen at the commit: once for all of them, as they show the same subject at the same moment. */
  event: eventContentRecord.optional(),
  /** The effects already carried out, by `effectId`. */
  done: z.array(z.string()),
  /**
   * ETag of the payment's entry as open, where the payment had ended with this command, or who took it for ended found this command undone: who
   * carries out its last effect takes the entry off.
   */
  leaves: z.string().optional(),
});
export interface Command extends RecordOf<typeof commandRecord> {
  readonly etag: string;
}

/** A command as a commit writes it. */
export type NewCommand = Pick<Command, "commandId" | "effects" | "event" | "leaves">;

export interface Commands {
  find(subject: Subject, commandId: string): Promise<Command | undefined>;
  /** All commands of the subject, void ones among them. */
  ofSubject(subject: Subject): Promise<Command[]>;
  /** Takes the command's place, so that a commit on its way fails. Throws `Conflict` when the row is there already. */
  abortCommand(subject: Subject, commandId: string): Promise<void>;
  /** Marks an effect, and records the attempt that did it in the same group. Throws `Conflict` when the command was written in between. */
  markDone(subject: Subject, command: Command, effectId: string, attempt?: WebhookAttempt): Promise<void>;
  /** Leaves it to who carries out the command's last effect to take the entry off. Throws `Conflict` as `markDone` does. */
  leaveAfter(subject: Subject, command: Command, entry: string): Promise<void>;
  recordAttempt(subject: Subject, attempt: WebhookAttempt): Promise<void>;
  findAttempt(subject: Subject, eventId: string, attempt: number): Promise<WebhookAttempt | undefined>;
  /** Of one event, or of all of the subject. */
  attempts(subject: PartnerSubject, eventId?: string): Promise<WebhookAttempt[]>;
}
