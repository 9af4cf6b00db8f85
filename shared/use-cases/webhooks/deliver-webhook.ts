import { effectId, type StoredEffect } from "../../domain/effects.ts";
import type { Announcement } from "../../ports/announcements.ts";
import { hostToProve, mayCall } from "../../domain/webhook-host.ts";
import type { CallContext } from "../../ports/clock.ts";
import type { Command } from "../../stores/commands.ts";
import { isTaken, type WebhookAttempt } from "../../domain/webhook-attempt.ts";
import type { Log } from "../../ports/log.ts";
import type { Partner } from "../../stores/partners.ts";
import type { SigningSecrets } from "../../ports/signing-secrets.ts";
import type { WebhookResponse } from "../../ports/webhooks.ts";
import { namesOfSubject, type PartnerSubject } from "../../ports/subjects.ts";
import { proveAgain } from "./webhook-hosts.ts";
import { eventBody } from "../feed/event-body.ts";
import { areEntered } from "../feed/events-due.ts";
import type { FeedWriter } from "../feed/feed-writer.ts";
import type { Outcome } from "../outbox/outcome.ts";
import type { Needs } from "../needs.ts";

export interface DeliverWebhookDeps extends Needs<"commands" | "partners" | "webhooks"> {
  readonly signing: Pick<SigningSecrets, "open">;
  readonly feed: FeedWriter;
  readonly log: Pick<Log, "write">;
}

/** A webhook of a committed command, and the announcement that counts its attempts. */
export interface WebhookWork {
  readonly subject: PartnerSubject;
  readonly announcement: Announcement;
  readonly isRedelivered: boolean;
  readonly command: Command;
  readonly others: readonly Command[] | undefined;
  readonly effect: StoredEffect<"webhook">;
}

/**
 * Delivers an event to the partner's server, and enters it into the partner's feed at the same time. Neither waits for the other's success,
 * so an endpoint that hangs leaves no gap in the feed. The effect is done once both are done, so a failure of the feed may deliver the
 * event again.
 */
export async function deliverWebhook(deps: DeliverWebhookDeps, call: CallContext, work: WebhookWork): Promise<Outcome> {
  const [delivered, entered] = await Promise.allSettled([attemptDelivery(deps, call, work), enterFeed(deps, work)]);
  if (delivered.status === "rejected") throw delivered.reason;
  if (entered.status === "rejected") throw entered.reason;
  return delivered.value;
}

/** Enters an event into the partner's feed, and sends nothing: the partner's own call made the change. */
export async function enterOwnChange(
  deps: Pick<DeliverWebhookDeps, "feed">,
  work: Omit<WebhookWork, "effect">,
): Promise<"done"> {
  await enterFeed(deps, work);
  return "done";
}

/** Every run enters the event, since any run may be the first that can. Events that the feed holds are not entered again. */
async function enterFeed({ feed }: Pick<DeliverWebhookDeps, "feed">, work: Omit<WebhookWork, "effect">): Promise<void> {
  const { subject, announcement, isRedelivered, command, others } = work;
  if (areEntered(command)) return; // also at a replay, perhaps of an event that was purged from the feed by its age
  if (!others) throw new Error(`the other commands of ${command.commandId} were not read`);
  const { attempt = 0, failures = 0, postponed = 0 } = announcement;
  await feed.enter({ subject, command, others, isRepeated: isRedelivered || attempt + failures + postponed > 0 });
}

/**
 * Delivers an event, frozen at the commit, to the partner's server. The `webhook-id` is the same on every attempt, and no attempt changes
 * the payment.
 *
 * A failed attempt is recorded only after the next one is scheduled. A duplicate that finds the record stops, so that duplicates cannot
 * multiply. A first attempt checks for the record only if it has failed or may not be the first. An accepted attempt schedules nothing, and
 * its duplicate delivers the event again under the same identifier.
 */
async function attemptDelivery(deps: DeliverWebhookDeps, call: CallContext, work: WebhookWork): Promise<Outcome> {
  const { subject, announcement, isRedelivered, command, effect } = work;
  const partner = await partnerOf(deps, work);
  const url = urlOf(command, partner);
  if (url === undefined) return "done";
  const { attempt: before = 0 } = announcement;
  const attempt = await nextAttempt(deps, work, before);
  const isRepeated = before > 0 || isRedelivered;
  if (isRepeated && (await isRecorded(deps, work, attempt))) return "superseded";

  const at = call.now();
  const response = await respondedAt(deps, call, work, { partner, url, at });
  if (response === "postponed") return postponed(deps, work);
  const made = attemptOf(effect, attempt, at, response);
  const retryInSeconds = waitAfter(deps, made, response);
  logAttempt(deps, work, made, retryInSeconds);
  if (retryInSeconds === undefined) return { done: made };
  if (!isRepeated && (await isRecorded(deps, work, attempt))) return "superseded";
  return {
    retryInSeconds,
    announcement: { ...announcement, attempt: Math.max(attempt, before), postponed: undefined },
    onScheduled: () => deps.commands.recordAttempt(subject, made),
  };
}

async function partnerOf({ partners }: DeliverWebhookDeps, { subject, effect }: WebhookWork): Promise<Partner> {
  const partner = await partners.find(subject.partnerId);
  if (!partner)
    throw new Error(`the partner of event ${effect.eventId} does not exist, and the webhook cannot be signed`);
  return partner;
}

/**
 * The number of the attempt to make. A message may claim attempts that were never made, which would end the schedule early. In that case
 * the first attempt without a record is made. Only the last claimed attempt counts without a record, because its record may still be on its
 * way.
 *
 * The next message claims at least as many attempts as this one. Otherwise it would stop at the record of an attempt whose own message is
 * this one.
 *
 * @param claimed how many attempts were made, according to the message
 */
async function nextAttempt(deps: DeliverWebhookDeps, work: WebhookWork, claimed: number): Promise<number> {
  if (claimed === 0 || (await isRecorded(deps, work, claimed))) return claimed + 1;
  let attempt = 1;
  while (attempt < claimed && (await isRecorded(deps, work, attempt))) attempt++;
  return attempt === claimed ? claimed + 1 : attempt;
}

/** Whether another run made this attempt without success, and scheduled the next one. */
const isRecorded = async (
  { commands }: DeliverWebhookDeps,
  { subject, effect }: WebhookWork,
  attempt: number,
): Promise<boolean> => (await commands.findAttempt(subject, effect.eventId, attempt)) !== undefined;

/** The partner has not registered the host. The event stays in the feed. */
export const NOT_REGISTERED = "host-not-registered";

/** Sends the event if the partner may name the host. Once a year the host must first prove that it is still the partner's. */
async function respondedAt(
  deps: DeliverWebhookDeps,
  call: CallContext,
  work: WebhookWork,
  { partner, url, at }: { readonly partner: Partner; readonly url: string; readonly at: string },
): Promise<WebhookResponse | "postponed"> {
  if (!mayCall(partner, url)) return { kind: "failed", reason: NOT_REGISTERED, ms: 0 };
  const host = hostToProve(partner, url, at);
  const refused = host && (await proveAgain(deps, call, partner, host));
  return refused ?? send(deps, work, partner, { url, at, traceparent: call.traceparent });
}

/**
 * Seconds until the next attempt. Undefined if no attempt follows: the event was accepted, the server responded 410, the host is not
 * registered, or the schedule has ended.
 */
const waitAfter = (
  { webhooks }: DeliverWebhookDeps,
  made: WebhookAttempt,
  response: WebhookResponse,
): number | undefined =>
  isTaken(made) || made.outcome === NOT_REGISTERED
    ? undefined
    : webhooks.nextAttemptAfter(made.attempt, response.kind === "failed" ? response.retryAfterSeconds : undefined);

/** Logs each attempt, and one more line for an event that the partner did not accept and that is not retried. */
function logAttempt(
  { log }: DeliverWebhookDeps,
  { subject, effect }: WebhookWork,
  { eventId: eventID, attempt, outcome, reason, status, ms }: WebhookAttempt,
  retryInSeconds: number | undefined,
): void {
  const line = { ...namesOfSubject(subject), eventID, effect: effectId(effect), attempt, outcome, reason, status };
  log.write("webhookAttempt", { ...line, dueMs: retryInSeconds && retryInSeconds * 1_000, ms });
  if (retryInSeconds === undefined && outcome !== "delivered") log.write("webhookGivenUp", line);
}

/**
 * Schedules a postponed attempt again, after 2 s doubling up to 5 min. It does not count as an attempt, so the schedule continues where it
 * was.
 */
function postponed({ log }: DeliverWebhookDeps, { announcement, effect }: WebhookWork): Outcome {
  const times = (announcement.postponed ?? 0) + 1;
  const retryInSeconds = Math.min(300, 2 ** times);
  const { eventId: eventID } = effect;
  log.write("webhookAttempt", {
    eventID,
    effect: effectId(effect),
    outcome: "postponed",
    dueMs: retryInSeconds * 1_000,
  });
  return { retryInSeconds, announcement: { ...announcement, postponed: times } };
}

const urlOf = ({ event }: Command, { webhookUrl }: Partner): string | undefined => event?.url ?? webhookUrl;

function send(
  { webhooks, signing }: DeliverWebhookDeps,
  { command, effect }: WebhookWork,
  { partnerId, webhookSecrets }: Partner,
  to: { readonly url: string; readonly at: string; readonly traceparent: string | undefined },
): Promise<WebhookResponse | "postponed"> {
  return webhooks.send({
    ...to,
    partnerId,
    id: effect.eventId,
    body: eventBody(command, effect),
    secrets: webhookSecrets.map((secret) => signing.open(partnerId, secret)),
  });
}

function attemptOf(
  { eventId, type }: StoredEffect<"webhook">,
  attempt: number,
  at: string,
  response: WebhookResponse,
): WebhookAttempt {
  return { eventId, type, attempt, at, ...resultOf(response) };
}

/** A response as an attempt has it. */
export function resultOf(response: WebhookResponse): Pick<WebhookAttempt, "outcome" | "reason" | "status" | "ms"> {
  const { status, ms } = response;
  return response.kind === "failed"
    ? { outcome: response.reason, reason: response.code, status, ms }
    : { outcome: response.kind, status, ms };
}
