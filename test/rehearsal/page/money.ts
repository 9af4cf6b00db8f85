import type { Rehearsal } from "../record.ts";
import { markup, type Markup } from "./markup.ts";
import { moneyText } from "../../../infra/local/live/page/text.ts";
import { table } from "./table.ts";
import { bareAmount, grouped, stateWords } from "./words.ts";

/** Books against cards, to the minor unit, and how the payments ended. */
export function moneySection({ money, states }: Rehearsal): Markup | undefined {
  if (money === undefined) return undefined;
  const { currency, books, cards, files, explained, unexplained } = money;
  const text = (minor: number) => bareAmount(minor, currency);
  const rows = (
    [
      ["taken", "captured"],
      ["paid back", "refunded"],
      ["kept", "kept"],
    ] as const
  ).map(([what, of]) => [what, text(books[of]), text(cards[of]), text(books[of] - cards[of])]);
  const ends = Object.entries(stateWords).flatMap(([state, words]) =>
    states[state] ? [[words, grouped(states[state])]] : [],
  );
  const others = Object.entries(states).filter(([state]) => !(state in stateWords));
  return markup`<section aria-labelledby="money">
    <h2 id="money">Books against cards</h2>
    <p>
      The books are the platform’s own. The cards’ side comes from the journals of the terminals and of the acquirer,
      which the platform cannot write. All ${grouped(money.payments)} payments were compared, charge by charge and
      refund by refund.
    </p>
    ${table(`What was taken from cards, paid back and kept by the shops, in ${currency}`, ["", "books", "cards", "difference"], rows)}
    <p>The files of both days that the shops’ accountants read add up to ${moneyText(files, currency)}.</p>
    ${
      explained.length === 0
        ? ""
        : table(
            `Payments that differ for a known reason, in ${currency}`,
            ["why", "payments", "difference"],
            explained.map((one) => [one.why, grouped(one.payments), text(one.inBooks - one.onCards)]),
          )
    }
    ${
      unexplained.length === 0
        ? ""
        : markup`<div class="alarm">
            ${table(
              `Payments that differ, and nothing names a reason, in ${currency}`,
              ["payment", "by the books", "by the cards"],
              unexplained.map((one) => [one.sessionID, text(one.inBooks), text(one.onCards)]),
            )}
          </div>`
    }
    ${table("How the payments ended", ["", "payments"], [...ends, ...others.map(([state, count]) => [state, grouped(count)])])}
  </section>`;
}
