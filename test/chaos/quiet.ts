import type { StackFile } from "../../packages/workbench/stack/stack-file.ts";
import { effectId, isImpliedBySubject } from "../../shared/domain/effects.ts";
import { isFinal } from "../../shared/domain/payment/record/payment.ts";
import { HOLD_SUFFIX } from "../../shared/stores/keys.ts";
import { tableNames } from "../../shared/stores/table-names.ts";
import { cardsIn, unbooked } from "./cards.ts";
import { peek, queues, readAll, readSessions, type Session } from "./sessions.ts";
import type { TerminalAction } from "./terminal.ts";

/**
 * The remaining activity as a sentence; undefined once the platform is quiet. `forgotten` holds the charges that no terminal will ever
 * report.
 */
export async function notQuiet(
  file: StackFile,
  actions: readonly TerminalAction[],
  forgotten: ReadonlySet<string>,
): Promise<string | undefined> {
  const sessions = await readSessions(file);
  const moving = sessions.filter(({ payment }) => !isFinal(payment.status) && payment.status !== "authorized");
  if (moving.length > 0) return `${moving.length} payments are still ${namesOf(moving.map((s) => s.payment.status))}`;
  const reversing = sessions.flatMap(({ payment }) => payment.charges.filter(({ status }) => status === "reversing"));
  if (reversing.length > 0) return `${reversing.length} charges are still on their way back`;
  const pending = sessions.flatMap(({ payment }) => payment.refunds.filter(({ status }) => status === "pending"));
  if (pending.length > 0) return `${pending.length} refunds are still pending`;
  const ofSession = Map.groupBy(actions, ({ sessionID }) => sessionID);
  const toTell = sessions.flatMap(({ payment }) =>
    unbooked(payment, cardsIn(payment.sessionId, ofSession.get(payment.sessionId) ?? [])),
  );
  const heard = toTell.filter(({ chargeId }) => !forgotten.has(chargeId));
  if (heard.length > 0) return `${heard.length} charges are not in the books yet`;
  const undone = sessions.flatMap(({ commands }) => commands.flatMap(undoneEffects));
  if (undone.length > 0) return `${undone.length} effects are still to be carried out (${undone[0]})`;
  const held = (await readAll(file, tableNames.terminals)).filter(({ rowKey }) => rowKey.endsWith(HOLD_SUFFIX));
  if (held.length > 0) return `${held.length} messages to terminals are still held`;
  const waiting = await messagesWaiting(file);
  return waiting > 0 ? `${waiting} messages are still in the queues` : undefined;
}

const namesOf = (words: readonly string[]): string => [...new Set(words)].join(", ");

/** The effects that are not carried out. Future deadlines do not count, nor what the payment's own rows show. */
const undoneEffects = ({ subject, state, effects, done }: Session["commands"][number]): string[] =>
  state === "ready"
    ? effects
        .filter((effect) => !isImpliedBySubject(effect, subject))
        .map(effectId)
        .filter((id) => !done.includes(id) && !id.startsWith("deadline~"))
    : [];

async function messagesWaiting(file: StackFile): Promise<number> {
  return peek(file, async (client) => {
    const found = await Promise.all(queues.map((queue) => client.createReceiver(queue).peekMessages(100)));
    return found.flat().filter((message) => message.state === "active").length;
  });
}
