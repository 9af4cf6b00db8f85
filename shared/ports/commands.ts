import type { Effect } from "../domain/effects.ts";
import type { Instant } from "../domain/time.ts";
import type { Subject } from "./subjects.ts";

/** One attempt to deliver a webhook, as the timeline tells it. */
export interface WebhookAttempt {
  readonly eventId: string;
  readonly type: string;
  /** From 1. */
  readonly attempt: number;
  readonly at: Instant;
  readonly outcome: string;
  readonly status?: number | undefined;
  readonly ms: number;
}

/** A webhook in the words of the moment its change was committed: every attempt says the same, under the same identifier. */
export interface FrozenWebhook {
  readonly kind: "webhook";
  readonly type: string;
  readonly about?: string | undefined;
  readonly eventId: string;
  readonly body: string;
  /** Where the payment's own request wants it told; otherwise where the partner says. */
  readonly url?: string | undefined;
}

/** An effect with everything its worker needs. */
export type ReadyEffect = Exclude<Effect, { readonly kind: "webhook" }> | FrozenWebhook;

export interface Command {
  readonly commandId: string;
  readonly subject: Subject;
  /** `void`: it was not committed in time and never can be. */
  readonly state: "ready" | "void";
  /** The sequence of the change that committed it. */
  readonly sequence: number;
  readonly effects: readonly ReadyEffect[];
  /** The effects already carried out, by `effectId`. */
  readonly done: readonly string[];
  readonly etag: string;
}

/** A command as a commit writes it. */
export type NewCommand = Pick<Command, "commandId" | "effects">;

export interface Commands {
  find(subject: Subject, commandId: string): Promise<Command | undefined>;
  /** Takes the command's place, so that a commit on its way fails. Throws `Conflict` when the row is there already. */
  voidCommand(subject: Subject, commandId: string): Promise<void>;
  /** Throws `Conflict` when another effect of the command was marked in between. */
  markDone(subject: Subject, command: Command, effectId: string): Promise<void>;
  recordAttempt(subject: Subject, attempt: WebhookAttempt): Promise<void>;
  findAttempt(subject: Subject, eventId: string, attempt: number): Promise<WebhookAttempt | undefined>;
  attempts(subject: Subject): Promise<WebhookAttempt[]>;
}
