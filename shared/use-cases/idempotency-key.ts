import type { Refusal } from "../domain/refusal.ts";
import { ok, refuse, type Result } from "../domain/result.ts";
import { msBetween, type Instant } from "../domain/time.ts";
import { Conflict } from "../ports/failures.ts";
import type { Subject } from "../ports/subjects.ts";
import {
  hashOfKey,
  type KeyEntry,
  type KeyedOperation,
  type StoredKeyHolder,
  type UsedKey,
} from "../stores/idempotency-keys.ts";
import { lacksPayment } from "../stores/payments.ts";
import { reaches, type Caller } from "./caller.ts";
import type { Needs } from "./needs.ts";

export type JudgeKeyDeps = Needs<"commands" | "idempotencyKeys" | "payments">;

/** A request with the header `Idempotency-Key`. Its key is bound to the operation, and to the session or the action request. */
export interface KeyedRequest {
  readonly caller: Caller;
  readonly hash: string;
  readonly operation: KeyedOperation;
  /** Undefined if the request leaves the action request to the platform. Then it is the one of the first request. */
  readonly subject: Subject | undefined;
  /** The other members of the request that count, as text. */
  readonly content?: string | undefined;
}

/** The request with its key. Undefined without a key. */
export const keyedBy = (
  key: string | undefined,
  { caller }: { readonly caller: Caller },
  bound: Pick<KeyedRequest, "operation" | "subject" | "content">,
): KeyedRequest | undefined => (key === undefined ? undefined : { caller, hash: hashOfKey(key), ...bound });

/** A request with what its key was found to be. */
export interface JudgedKey {
  /** Undefined for a request without a key. */
  readonly keyed: KeyedRequest | undefined;
  /** This same request was accepted before, so it is a replay. Otherwise the key is free. */
  readonly isAccepted: boolean;
  /** The sequence of the accepted change. Undefined if there is none, or if it left a tombstone. */
  readonly sequence?: number | undefined;
  /** The last holder. Undefined for a new key. */
  readonly read: StoredKeyHolder | undefined;
  /** The last holder's command is missing, so it must be aborted before another request takes the key. */
  readonly isMissing: boolean;
}

/** A free key. `read` is its last holder, whose command was aborted. */
export const unheld = (keyed: KeyedRequest | undefined, read?: StoredKeyHolder): JudgedKey => ({
  keyed,
  isAccepted: false,
  read,
  isMissing: false,
});

/** The key as a command keeps it. */
export const usedKey = (keyed: KeyedRequest | undefined): UsedKey | undefined =>
  keyed && { hash: keyed.hash, operation: keyed.operation };

/** A command that a request is about to commit. */
export type KeyCommand = Pick<StoredKeyHolder, "subject" | "terminalId" | "commandId" | "at">;

export type KeyRefusal = Refusal<"idempotency_mismatch" | "idempotency_in_progress">;

/**
 * Finds out whether a request may use its key. Only an accepted request keeps its key: its command is there. A key that does not reach the
 * holder's terminal learns nothing of it. Changes nothing. Throws `Unavailable`.
 */
export async function judgeKey(
  deps: JudgeKeyDeps,
  keyed: KeyedRequest | undefined,
  now: Instant,
): Promise<Result<JudgedKey, KeyRefusal>> {
  const read = keyed && (await deps.idempotencyKeys.find(keyed.caller.partnerId, keyed.hash));
  if (!keyed || !read) return ok(unheld(keyed));
  const fate = await fateOf(deps, read);
  const isOwn = isHolder(keyed, read);
  if (fate.is === "accepted" && isOwn)
    return ok({ keyed, isAccepted: true, sequence: fate.sequence, read, isMissing: false });
  if (fate.is === "aborted" && (isOwn || !read.isRestored)) return ok(unheld(keyed, read));
  return judgeHeld(keyed, read, { isOwn, isMissing: fate.is === "missing" }, now);
}

function judgeHeld(
  keyed: KeyedRequest,
  read: StoredKeyHolder,
  { isOwn, isMissing }: { readonly isOwn: boolean; readonly isMissing: boolean },
  now: Instant,
): Result<JudgedKey, KeyRefusal> {
  const mayBeTaken = isMissing && (isOwn || !read.isRestored);
  if (!reaches(keyed.caller, read.terminalId)) return refuse(mismatch);
  if (!mayBeTaken) return refuse({ ...mismatch, ...sessionOf(read) });
  if (isUnderWay(read, now)) return refuse({ code: "idempotency_in_progress", retryAfterSeconds: 1 });
  return ok({ keyed, isAccepted: false, read, isMissing });
}

/** Seconds for which the key of a missing command is not taken, because its request may still be under way. No clock decides more. */
const UNDER_WAY_SECONDS = 20;

function isUnderWay({ at }: StoredKeyHolder, now: Instant): boolean {
  const age = msBetween(at, now);
  return age >= 0 && age < UNDER_WAY_SECONDS * 1000; // one from the future counts as older
}

/**
 * The entry that gives the key to a command which is about to be committed. First aborts the command that held the key, so that one command
 * under a key can be committed at most. Throws `Conflict` if that one was committed meanwhile, or the request itself was accepted. A restored
 * key stays with its session, even if this command is aborted too. Undefined without a key.
 */
export async function entryOf(
  { commands }: Needs<"commands">,
  { keyed, isAccepted, read, isMissing }: JudgedKey,
  command: KeyCommand,
): Promise<KeyEntry | undefined> {
  if (!keyed) return undefined;
  if (isAccepted) throw new Conflict("the request was accepted under its key meanwhile");
  if (read && isMissing) await commands.abortCommand(read.subject, read.commandId, command.at);
  const { subject, terminalId, commandId, at } = command;
  const { operation, content } = keyed;
  const isRestored = read?.isRestored && { isRestored: true as const };
  return {
    hash: keyed.hash,
    holder: { operation, subject, content, terminalId, commandId, at, ...isRestored },
    read,
  };
}

/** Gives the key to a command in a group of its own, if there is a key. Throws `Conflict` also if the key was bound meanwhile. */
export async function bindKey(deps: JudgeKeyDeps, judged: JudgedKey, command: KeyCommand): Promise<void> {
  const entry = await entryOf(deps, judged, command);
  if (entry && judged.keyed) await deps.idempotencyKeys.bind(judged.keyed.caller.partnerId, entry);
}

const mismatch = {
  code: "idempotency_mismatch",
  detail: "The Idempotency-Key was used for a different request.",
} as const;

const sessionOf = ({ subject }: StoredKeyHolder) =>
  subject.kind === "payment" ? { sessionId: subject.sessionId } : {};

function isHolder({ operation, subject, content }: KeyedRequest, holder: StoredKeyHolder): boolean {
  if (operation !== holder.operation || content !== holder.content) return false;
  return subject === undefined || nameOf(subject) === nameOf(holder.subject);
}

/** The subject's name among those of its partner. A session that is requested at another terminal stays the same. */
function nameOf(subject: Subject): string | undefined {
  if (subject.kind === "payment") return subject.sessionId;
  return subject.kind === "actionRequest" ? subject.actionRequestId : undefined;
}

/** Whether the holder's request was accepted. A cancel of a session that was never requested leaves a tombstone instead of a command. */
async function fateOf(
  { commands, payments }: JudgeKeyDeps,
  { operation, subject, commandId }: StoredKeyHolder,
): Promise<{ readonly is: "accepted" | "aborted" | "missing"; readonly sequence?: number }> {
  const command = await commands.find(subject, commandId);
  if (command) return command.state === "ready" ? { is: "accepted", sequence: command.sequence } : { is: "aborted" };
  const found =
    operation === "cancel" && subject.kind === "payment" ? await payments.findOrTombstone(subject) : undefined;
  return { is: found && lacksPayment(found) ? "accepted" : "missing" };
}
