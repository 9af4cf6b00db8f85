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

export interface TerminalWish extends Pick<
  Terminal,
  "partnerId" | "merchantId" | "merchantName" | "name" | "strictOrders"
> {
  /** The identifier as the operator wrote it. */
  readonly idAsReceived: string;
}

/** A terminal with its key, which is shown once and not stored. */
export interface KeyedByText {
  readonly terminal: Terminal;
  readonly terminalKey: string;
}

/** Seconds for which the key of an interrupted registration stays valid. It may have been shown and installed in the terminal. */
const KEPT_SECONDS = 7 * 24 * 3600;

/**
 * Registers a terminal. It is listed first and then stored, so every stored terminal is listed. An interrupted registration may be repeated
 * with the same identifier and content. If the terminal was never seen and took no payment, it gets another key, and the first one expires
 * after seven days. Returns undefined if the identifier belongs to another terminal, to a terminal in use, or to a retired one, whose
 * reports and messages bear it. Throws `Unavailable`, and `Conflict` if two callers register it at the same moment.
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

/** Whether the terminal is the requested one, took no payment and was never seen. */
const isUnfinished = (
  { terminal, claim, lastSeenAt }: TerminalView,
  { partnerId, merchantId, merchantName, name, strictOrders }: Omit<TerminalWish, "idAsReceived">,
): boolean =>
  claim.etag === undefined &&
  lastSeenAt === undefined &&
  terminal.partnerId === partnerId &&
  terminal.merchantId === merchantId &&
  terminal.merchantName === merchantName &&
  terminal.name === name &&
  terminal.strictOrders === strictOrders;

/** The partner's terminals in service. A terminal is listed before it is stored. Throws `Unavailable`. */
export async function terminalsOf(
  { partners, terminals }: Needs<"partners" | "terminals">,
  partnerId: string,
): Promise<TerminalView[]> {
  const found = await eachOf(await partners.terminalIds(partnerId), (terminalId) => terminals.find(terminalId));
  return found.flatMap((view) => (view?.terminal.partnerId === partnerId ? [view] : []));
}

/** Gives the terminal a new key. The old key stays valid for `keepSeconds`. A still older key expires now. Throws `Conflict`. */
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

export type RetireDeps = Needs<"inboxes" | "marks" | "partners" | "terminals">;

/** Why a terminal cannot be retired yet. */
export type InService =
  | { readonly why: "available" }
  | { readonly why: "closedLately"; readonly seconds: number }
  | { readonly why: "payments"; readonly payments: readonly PaymentKey[] }
  | { readonly why: "messages"; readonly messages: number };

/** Seconds after which every request that read the terminal as available has been committed or given up. */
const SETTLED_SECONDS = 60;

/**
 * Retires a terminal. From then on its key and its identifier are those of an unknown terminal. Retirement is refused while the terminal
 * takes new payments, and for a minute after. It is also refused while an open payment is on the terminal or a message waits for its
 * answer. Reports about these would otherwise be refused with the key. Throws `Conflict` if the terminal changed since it was read.
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
  const [payments, rows] = await Promise.all([
    openPaymentsOn(deps, view.terminal),
    deps.inboxes.unanswered(terminalId),
  ]);
  if (payments.length > 0) return { why: "payments", payments };
  if (rows.length > 0) return { why: "messages", messages: rows.length };
  const retired: Terminal = { ...view.terminal, retiredAt: now, updatedAt: now };
  await deps.terminals.retire(retired, view);
  await deps.partners.retireTerminal(partnerId, terminalId, now);
  return retired;
}

/**
 * Completes a retirement that was interrupted before the partner's list showed it. Returns the retired terminal; undefined if no
 * terminal with this identifier is retired.
 */
export async function endRetirement(
  { partners, terminals }: Pick<RetireDeps, "partners" | "terminals">,
  terminalId: string,
): Promise<Terminal | undefined> {
  const retired = await terminals.findRetired(terminalId);
  if (retired?.retiredAt !== undefined) await partners.retireTerminal(retired.partnerId, terminalId, retired.retiredAt);
  return retired;
}

/** The terminal's payments with unfinished work. */
export async function openPaymentsOn({ marks }: Needs<"marks">, terminal: Terminal): Promise<PaymentKey[]> {
  const subjects = await marks.open({ ...terminal, kind: "terminal" });
  return subjects.filter((subject) => subject.kind === "payment");
}
