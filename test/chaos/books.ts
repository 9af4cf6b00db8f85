import type { SettlementObject } from "../../shared/contracts/objects/settlement.ts";
import { dayAfter } from "../../shared/domain/booking.ts";
import { dayOf } from "../../shared/domain/time.ts";
import { held } from "../simulation/platform/money.ts";
import type { partnerOn } from "../support/partner.ts";
import { cardsIn, CURRENCY, differences, minor, onCards } from "./cards.ts";
import type { Session } from "./sessions.ts";
import type { TerminalAction } from "./terminal.ts";

// The accountants' files of a run, as their partners read them, compared with the payments' records and the cards.

/** The files of one partner's days. */
export type Files = readonly SettlementObject[];
export type Line = SettlementObject["bookings"][number];

/** Reads a partner's file of each day on which a run of some minutes can book. Terminals and tests need not agree on the day. */
export async function readFiles({ send }: Pick<ReturnType<typeof partnerOn>, "send">): Promise<Files> {
  const today = dayOf(new Date().toISOString());
  return Promise.all(
    [-2, -1, 0, 1].map(async (days) => {
      const date = dayAfter(today, days);
      const { status, body } = await send<SettlementObject>("GET", `/settlements/${date}`);
      if (status !== 200) throw new Error(`the file of ${date} answered ${status}: ${JSON.stringify(body)}`);
      return body;
    }),
  );
}

const signed = ({ direction, amount }: Pick<Line, "direction" | "amount">): number =>
  direction === "credit" ? minor(amount) : -minor(amount);

const balanceOf = (lines: readonly Line[]): number => lines.reduce((sum, line) => sum + signed(line), 0);

const tipOf = (lines: readonly Pick<Line, "direction" | "tip">[]): number =>
  lines.reduce((sum, { direction, tip }) => sum + signed({ direction, amount: tip }), 0);

/** Each file's totals are the sums of its lines, and each line is in one file only. */
export function sumsOf(files: Files): string[] {
  const wrong = files.flatMap(({ date, bookings, totals = [] }) => {
    const said = totals.reduce((sum, total) => sum + signed(total), 0);
    const counted = totals.reduce((sum, { count }) => sum + count, 0);
    const isRight = said === balanceOf(bookings) && tipOf(totals) === tipOf(bookings) && counted === bookings.length;
    return isRight ? [] : [`totals that are not the sums: ${date}`];
  });
  const names = files.flatMap(({ bookings }) => bookings.map(nameOf));
  const repeated = names.filter((name, i) => names.indexOf(name) < i);
  return [...wrong, ...repeated.map((name) => `booked twice: ${name}`)];
}

const nameOf = ({ sessionID, sequence, kind, direction, chargeID, refundID, amount }: Line): string =>
  [sessionID, sequence, kind, direction, chargeID, refundID, amount].join(" ");

/**
 * A payment's lines add up to the merchant's money in its record. If record and cards agree, the lines are the movements on its cards. If
 * only its terminal moved money, each line has a day that the terminal named for that charge or refund.
 */
export function booksOf(
  { payment, history }: Session,
  lines: readonly Line[],
  actions: readonly TerminalAction[],
): string[] {
  const [inFiles, byRecord] = [balanceOf(lines), held(payment, CURRENCY)];
  if (inFiles !== byRecord) return [`${inFiles} in the files, and ${byRecord} by its record`];
  const cards = cardsIn(payment.sessionId, actions);
  if (differences(payment, cards).length > 0) return [];
  if (inFiles !== onCards(cards)) return [`${inFiles} in the files, and ${onCards(cards)} on the cards`];
  const isTerminals = history.every(({ by }) => by !== "operator") && actions.every(({ messageID }) => messageID);
  return isTerminals ? lines.flatMap((line) => dayOfLine(line, actions)) : [];
}

function dayOfLine({ businessDay, chargeID, refundID }: Line, actions: readonly TerminalAction[]): string[] {
  const isSame = (one = "", other = "") => one.toLowerCase() === other.toLowerCase();
  const moved = actions.filter((action) =>
    refundID === undefined ? isSame(action.chargeID, chargeID) : isSame(action.refundID, refundID),
  );
  return moved.some((action) => action.businessDay === businessDay)
    ? []
    : [
        `booked on ${businessDay}, and its terminal moved it on ${moved.map((action) => action.businessDay).join(", ")}`,
      ];
}
