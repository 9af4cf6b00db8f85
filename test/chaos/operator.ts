import { setTimeout as sleep } from "node:timers/promises";
import type { StackFile } from "../../packages/workbench/stack/stack-file.ts";
import { Unavailable } from "../../shared/ports/failures.ts";
import { azureTables } from "../../shared/adapters/tables/azure-tables.ts";
import { lacksPayment } from "../../shared/stores/payments.ts";
import { tablePorts } from "../../shared/stores/stores.ts";
import { findSession } from "../../shared/use-cases/payments/find-session.ts";
import { operatorOf } from "../support/admin.ts";
import type { Random } from "../support/seeded-random.ts";
import { cardsIn, differences, isMoving } from "./cards.ts";
import { judgements, type ShownAlert, type Step } from "./operator-judgements.ts";
import type { TerminalAction } from "./terminal.ts";

interface Circumstances {
  readonly random: Random;
  /** The actions of terminals and acquirer on the cards so far. The operator orders further actions of the acquirer. */
  readonly actions: TerminalAction[];
  readonly count: (what: string) => void;
  /** The sessions whose webhooks may be replayed. */
  readonly sessions: () => readonly { readonly sessionID: string; readonly partnerID: string }[];
}

/** A terminal may still be active, so the operator waits before acting on an alert. */
const PATIENCE_MS = 3_000;

/**
 * An operator with access to the acquirer's records. The operator checks each open alert and resolves payments that no terminal will end.
 * The acquirer gives back charges that the books lack. Sometimes the operator makes a mistake and corrects it. The alerts of a payment are
 * closed once books and cards agree. Sometimes the operator also runs repair and replays webhooks.
 */
export function startOperator(file: StackFile, { random, actions, count, sessions }: Circumstances) {
  const { shown, admin } = operatorOf(file);
  const ports = tablePorts(azureTables(file.tables));
  const leaving = new AbortController();
  const nextStep = judgements({ random, actions, count });
  let isIdle = false;

  const openAlerts = () => shown<ShownAlert[]>("alert", "list");

  /** A refused command is only counted, because the payment has changed since it was read. */
  async function run({ what, words }: Step): Promise<void> {
    const why = what.startsWith("close") ? "the books are as the cards" : "as the acquirer's records say";
    try {
      await shown(...words, "--by", "chaos", "--why", why);
      count(`operator: ${what}`);
    } catch (error) {
      count(`operator refused: ${what}: ${error instanceof Error ? error.message.slice(0, 80) : String(error)}`);
    }
  }

  async function see(key: { partnerId: string; sessionId: string }, alerts: readonly ShownAlert[]): Promise<boolean> {
    const stored = await findSession(ports, key);
    if (!stored || lacksPayment(stored)) return false;
    const { payment } = stored;
    const step = nextStep(payment, alerts);
    if (step) {
      await run(step);
      return true;
    }
    if (isMoving(payment) || differences(payment, cardsIn(key.sessionId, actions)).length > 0) return false;
    for (const { alert, about } of alerts) {
      const words = ["alert", "close", key.sessionId, alert, "--partner", key.partnerId];
      await run({ what: `close ${alert}`, words: [...words, ...(about === undefined ? [] : ["--about", about])] });
    }
    return true;
  }

  /** Checks every open alert once. Returns true if there was work. */
  async function round(): Promise<boolean> {
    const open = await openAlerts();
    const due = open.filter(({ lastAt }) => Date.now() - Date.parse(lastAt) > PATIENCE_MS);
    let didAny = due.length < open.length;
    for (const alerts of Map.groupBy(due, ({ partnerID, sessionID }) => `${partnerID} ${sessionID}`).values()) {
      const { partnerID = "", sessionID } = alerts[0] ?? {};
      if (sessionID === undefined) for (const alert of alerts) await closeOther(alert);
      else if (await see({ partnerId: partnerID, sessionId: sessionID }, alerts)) didAny = true;
    }
    return didAny;
  }

  /** Closes an alert of a terminal or of the platform. */
  const closeOther = ({ alert, pointOfServiceID = "platform", partnerID, day, about }: ShownAlert) =>
    run({
      what: `close ${alert}`,
      words: [
        "alert",
        "close",
        pointOfServiceID,
        alert,
        ...(partnerID === undefined ? [] : ["--partner", partnerID]),
        ...(day === undefined ? [] : ["--day", day]),
        ...(about === undefined ? [] : ["--about", about]),
      ],
    });

  async function helpOut(): Promise<void> {
    if (random.chance(0.3)) {
      const { code, complaint } = await admin("repair", "--all", "--tables-are-current", "--yes");
      count(code === 0 ? "operator: repair" : `operator refused: repair: ${complaint.slice(0, 80)}`);
      return;
    }
    const [first, ...others] = sessions();
    if (!first) return;
    const { sessionID, partnerID } = random.pick(first, ...others);
    const replayed = await shown("webhook", "replay", "--partner", partnerID, "--session", sessionID).catch(
      () => undefined,
    );
    if (replayed) count("operator: webhook replay");
  }

  const working = (async () => {
    for (let rounds = 1; !leaving.signal.aborted; rounds++) {
      try {
        isIdle = !(await round());
        if (rounds % 6 === 0) await helpOut();
      } catch (error) {
        if (!(error instanceof Unavailable)) throw error;
        count("operator: finds the tables unavailable");
      }
      await sleep(1_500, undefined, { signal: leaving.signal }).catch(() => {});
    }
  })();
  return {
    /** Whether the last round found no work. */
    isIdle: () => isIdle,
    /** All alerts that were raised. */
    allAlerts: () => shown<ShownAlert[]>("alert", "list", "--all"),
    async leave() {
      leaving.abort();
      await working;
    },
  };
}
