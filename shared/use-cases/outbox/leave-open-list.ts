import { actionHasEnded } from "../../domain/action-request.ts";
import { effectId, isImpliedBySubject } from "../../domain/effects.ts";
import { requestHasEnded } from "../../domain/landing-page.ts";
import { paymentHasEnded } from "../../domain/payment/record/ended.ts";
import { dayIsSettled } from "../../domain/terminal-day/terminal-day.ts";
import type { ActionRequests } from "../../stores/action-requests.ts";
import type { Command, Commands } from "../../stores/commands.ts";
import { Conflict } from "../../ports/failures.ts";
import type { LandingPages } from "../../stores/landing-pages.ts";
import type { Listings, OpenEntry } from "../../stores/listings.ts";
import { isCancelledFirst, type Payments } from "../../stores/payments.ts";
import type { ActionKey, PaymentKey, RequestKey, Subject, TerminalDayKey } from "../../ports/subjects.ts";
import type { TerminalDays } from "../../stores/terminal-days.ts";
import { retryOnConflict } from "./retry-on-conflict.ts";

export interface LeaveOpenListDeps {
  readonly listings: Listings;
  readonly commands: Commands;
  readonly payments: Payments;
  readonly actionRequests: ActionRequests;
  readonly landingPages: LandingPages;
  readonly terminalDays: TerminalDays;
}

/** Whether nothing of the command is left to carry out once its subject has ended. That holds for an aborted command too. */
export const isCarriedOut = ({ subject, state, effects, done }: Omit<Command, "etag">): boolean =>
  state === "aborted" ||
  effects.every((effect) => isImpliedBySubject(effect, subject) || done.includes(effectId(effect)));

/**
 * Removes a payment from the list of open subjects after the last effect of the command with which it ended. Where other commands of the
 * payment are not carried out, their workers remove it: each of these commands is marked by a write on its ETag, so a worker that finishes
 * one meanwhile sees the mark. The entry is removed by the ETag that it had at the commit; a commit since then has written it again. In
 * that case, and where the entry was written for a commit that failed, the payment itself is read.
 *
 * @param others the other commands, where they were read before; a command that was carried out then still is
 */
export async function leaveAfterCommand(
  deps: LeaveOpenListDeps,
  { subject, commandId, leaves: etag }: Command & { readonly leaves: string },
  others?: readonly Command[],
): Promise<void> {
  const isLeftToOthers = others?.every(isCarriedOut)
    ? false
    : await retryOnConflict(async () => {
        const all = await deps.commands.ofSubject(subject);
        const undone = all.filter((one) => one.commandId !== commandId && !isCarriedOut(one));
        for (const one of undone) if (one.leaves === undefined) await deps.commands.leaveAfter(subject, one, etag);
        return undone.length > 0;
      });
  if (isLeftToOthers) return;
  try {
    await deps.listings.leaveOpen({ subject, etag });
  } catch (error) {
    if (!(error instanceof Conflict)) throw error;
    await leaveOpenList(deps, subject);
  }
}

/** Removes a subject from the list of open subjects if it has ended and nothing of it is left to carry out. */
export const leaveOpenList = (deps: LeaveOpenListDeps, subject: Subject): Promise<void> =>
  retryOnConflict(async () => {
    const entry = await deps.listings.findOpen(subject);
    if (entry) await leaveIfOver(deps, entry);
  });

/**
 * Removes the entry of a subject that has ended; `absent` where the subject does not exist, or not yet. The order of the steps makes this
 * safe beside commits: each commit that finds its subject unlisted enters it first. The entry is read, then the subject is written as
 * unlisted. A commit after that was either decided on the earlier version, and fails, or enters the subject again, and the entry is not
 * removed. Throws `Conflict` when the subject changed meanwhile.
 */
export async function leaveIfOver(deps: LeaveOpenListDeps, entry: OpenEntry): Promise<"gone" | "stays" | "absent"> {
  const { subject } = entry;
  const ended = await endedSubject(deps, subject);
  if (ended === "absent" || ended === "open") return ended === "open" ? "stays" : ended;
  if (!(await deps.commands.ofSubject(subject)).every(isCarriedOut)) return "stays";
  await ended.unlist();
  try {
    await deps.listings.leaveOpen(entry);
    return "gone";
  } catch (error) {
    if (error instanceof Conflict) return "stays"; // entered again, for a coming commit
    throw error;
  }
}

/** A subject that has ended, with the write that unlists it. */
type Ended = { readonly unlist: () => Promise<void> } | "open" | "absent";

function endedSubject(deps: LeaveOpenListDeps, subject: Subject): Promise<Ended> {
  switch (subject.kind) {
    case "payment":
      return endedPayment(deps, subject);
    case "actionRequest":
      return endedAction(deps, subject);
    case "tokenRequest":
      return endedRequest(deps, subject);
    case "terminalDay":
      return settledDay(deps, subject);
  }
}

async function endedPayment({ payments }: LeaveOpenListDeps, key: PaymentKey): Promise<Ended> {
  const read = await payments.findOrTombstone(key);
  if (!read || isCancelledFirst(read)) return "absent"; // a tombstone does not stop a request for another terminal
  return paymentHasEnded(read.payment) ? { unlist: () => payments.unlist(read) } : "open";
}

async function endedAction({ actionRequests }: LeaveOpenListDeps, key: ActionKey): Promise<Ended> {
  const read = await actionRequests.find(key);
  if (!read || !actionHasEnded(read.action)) return read ? "open" : "absent";
  return { unlist: () => actionRequests.commit({ ...read.action, listedOn: undefined }, read, undefined) };
}

async function endedRequest({ landingPages }: LeaveOpenListDeps, key: RequestKey): Promise<Ended> {
  const read = await landingPages.findRequest(key);
  if (!read || !requestHasEnded(read.request)) return read ? "open" : "absent";
  return { unlist: () => landingPages.commit({ ...read.request, listedOn: undefined }, read.etag, undefined) };
}

async function settledDay({ terminalDays }: LeaveOpenListDeps, key: TerminalDayKey): Promise<Ended> {
  const read = await terminalDays.find(key);
  if (!read || !dayIsSettled(read.terminalDay)) return read ? "open" : "absent";
  const terminalDay = { ...read.terminalDay, listedOn: undefined };
  return { unlist: () => terminalDays.commit({ terminalDay, etag: read.etag, command: undefined }) };
}
