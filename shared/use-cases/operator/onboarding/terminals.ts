import { isTakenOut } from "../../../domain/terminal-inbox.ts";
import type { Terminal } from "../../../domain/terminal.ts";
import { after, msBetween, type Instant } from "../../../domain/time.ts";
import type { NewKeys } from "./new-keys.ts";
import type { PaymentKey } from "../../../ports/subjects.ts";
import type { TerminalView } from "../../../stores/terminals.ts";
import { eachOf } from "../../each-of.ts";
import type { Needs } from "../../needs.ts";

export interface RegisterDeps extends Needs<"partners" | "terminals"> {
  readonly newKeys: NewKeys;
}

export interface TerminalWish extends Pick<Terminal, "partnerId" | "merchantId" | "name" | "strictOrders"> {
  /** The identifier as the operator wrote it. */
  readonly idAsReceived: string;
}

/** A terminal with its key, which is shown once and not stored. */
export interface KeyedByText {
  readonly terminal: Terminal;
  readonly terminalKey: string;
}

/** Seconds for which the key of a broken-off registration stays valid: it may have been shown, and be in the terminal. */
const KEPT_SECONDS = 7 * 24 * 3600;

/**
 * Registers a terminal. It is listed first, and stored then: whatever is stored is listed. A registration that broke off is run again with
 * the same identifier and wish: as long as the terminal was never heard from it gets another key, and the first one ends after seven days.
 * Returns undefined where the identifier stands for another terminal, for one that is in use, or for a retired one, whose reports and
 * messages bear it. Throws `Unavailable`, and `Conflict` where two register it at the same moment.
 */
export async function registerTerminal(
  deps: RegisterDeps,
  { idAsReceived, ...wish }: TerminalWish,
  now: Instant,
): Promise<KeyedByText | undefined> {
  const { partners, terminals, newKeys } = deps;
  const terminalId = idAsReceived.toLowerCase();
  const [before, retired] = await Promise.all([terminals.find(terminalId), terminals.findRetired(terminalId)]);
  if (retired) return undefined;
  if (before) {
    if (!isUnfinished(before, wish)) return undefined;
    await partners.addTerminal(wish.partnerId, terminalId);
    return rekeyTerminal(deps, before, { now, keepSeconds: KEPT_SECONDS });
  }
  const { text, hash, pepperId } = newKeys.terminalKey({ terminalId, partnerId: wish.partnerId });
  const terminal: Terminal = {
    terminalId,
    idAsReceived,
    ...wish,
    status: "available",
    keyHash: hash,
    pepperId,
    updatedAt: now,
  };
  await partners.addTerminal(wish.partnerId, terminalId);
  await terminals.save(terminal, undefined);
  return { terminal, terminalKey: text };
}

/** Whether the terminal is the wished one, and took no payment and was never heard from. */
const isUnfinished = (
  { terminal, claim, lastSeenAt }: TerminalView,
  { partnerId, merchantId, name, strictOrders }: Omit<TerminalWish, "idAsReceived">,
): boolean =>
  claim === undefined &&
  lastSeenAt === undefined &&
  terminal.partnerId === partnerId &&
  terminal.merchantId === merchantId &&
  terminal.name === name &&
  terminal.strictOrders === strictOrders;

/** Gives the terminal a new key. The old one stays valid for `keepSeconds`; one that was kept before ends now. Throws `Conflict`. */
export async function rekeyTerminal(
  { terminals, newKeys }: Pick<RegisterDeps, "terminals" | "newKeys">,
  { terminal, etag }: TerminalView,
  { now, keepSeconds }: { readonly now: Instant; readonly keepSeconds: number },
): Promise<KeyedByText> {
  const { keyHash, pepperId } = terminal;
  const made = newKeys.terminalKey(terminal);
  const rekeyed: Terminal = {
    ...terminal,
    keyHash: made.hash,
    pepperId: made.pepperId,
    formerKey: { keyHash, pepperId, endsAt: after(now, keepSeconds) },
    updatedAt: now,
  };
  await terminals.save(rekeyed, etag);
  return { terminal: rekeyed, terminalKey: made.text };
}

export type RetireDeps = Needs<"inboxes" | "listings" | "partners" | "payments" | "terminals">;

/** What keeps a terminal in service. */
export type InService =
  | { readonly why: "available" }
  | { readonly why: "closedLately"; readonly seconds: number }
  | { readonly why: "payments"; readonly payments: readonly PaymentKey[] }
  | { readonly why: "messages"; readonly messages: number };

/** Seconds after which a request that read the terminal as available has been admitted, or given up. */
const SETTLED_SECONDS = 60;

/**
 * Retires a terminal: from then on its key and its identifier are those of an unknown terminal. It is refused while the terminal takes new
 * payments and for a minute after, while an open payment is on it, and while a message waits for its answer: reports about these would be
 * refused with the key. Throws `Conflict` where the terminal changed since it was read.
 */
export async function retireTerminal(
  deps: RetireDeps,
  view: TerminalView,
  now: Instant,
): Promise<InService | Terminal> {
  const { terminalId, partnerId, status, updatedAt } = view.terminal;
  if (status === "available") return { why: "available" };
  const seconds = msBetween(updatedAt, now) / 1000;
  if (seconds < SETTLED_SECONDS) return { why: "closedLately", seconds: Math.ceil(SETTLED_SECONDS - seconds) };
  const [payments, rows] = await Promise.all([openPaymentsOn(deps, terminalId), deps.inboxes.unanswered(terminalId)]);
  if (payments.length > 0) return { why: "payments", payments };
  const messages = rows.filter((row) => !isTakenOut(row)).length;
  if (messages > 0) return { why: "messages", messages };
  const retired: Terminal = { ...view.terminal, retiredAt: now, updatedAt: now };
  await deps.terminals.retire(retired, view.etag);
  await deps.partners.removeTerminal(partnerId, terminalId);
  return retired;
}

/**
 * Ends the retirement of a terminal that broke off before the terminal left its partner's list. Returns the retired terminal; undefined where
 * none of this identifier is retired.
 */
export async function endRetirement(
  { partners, terminals }: Pick<RetireDeps, "partners" | "terminals">,
  terminalId: string,
): Promise<Terminal | undefined> {
  const retired = await terminals.findRetired(terminalId);
  if (retired) await partners.removeTerminal(retired.partnerId, terminalId);
  return retired;
}

/** The payments on the terminal of which something is still to be done, read from the list of open ones. */
async function openPaymentsOn({ listings, payments }: RetireDeps, terminalId: string): Promise<PaymentKey[]> {
  const found = await eachOf(await listings.listOpen("payment"), async ({ subject }) => {
    const stored = subject.kind === "payment" ? await payments.find(subject) : undefined;
    return stored?.payment.terminalId === terminalId ? stored.payment : undefined;
  });
  return found.filter((payment) => payment !== undefined);
}
