import type { World } from "../world/world.ts";
import { CALM, SECOND } from "../world/time.ts";
import type { CardLedger } from "./card-ledger.ts";
import type { Arrival, ArrivalOf, Facts, Run, TerminalMemory, Told } from "./terminal-memory.ts";

/** The part of a terminal that touches cards. */
export interface CardReader {
  /** Takes a payment; it runs on by itself and is told of as it goes. */
  pay(arrival: ArrivalOf<"payment">, tell: (told: Told) => void): Promise<void>;
  /** Whatever a restart ends. */
  restart(): void;
  /** Captures, voids or refunds, and says how it went. */
  move(arrival: ArrivalOf<"capture" | "void" | "refund">): Told;
}

export function createCardReader(world: World, ledger: CardLedger, memory: TerminalMemory): CardReader {
  const { agenda, random, weather } = world;
  let atReader: { readonly sessionId: string; stop(why: "cancelled" | "failed"): void } | undefined;

  /** Waits for the card; a cancel or a restart ends that, an impatient customer too. */
  async function waitForCard(sessionId: string, run: Run): Promise<"card" | "cancelled" | "failed"> {
    const patience = agenda.now() < CALM && random.chance(0.2) ? random.between(30, 200) : random.between(1, 25);
    const { promise, resolve } = Promise.withResolvers<"card" | "cancelled" | "failed">();
    agenda.after(patience * SECOND, () => resolve("card"));
    run.abort = () => resolve("cancelled");
    atReader = { sessionId, stop: resolve };
    const came = await promise;
    if (came === "card") run.cardIn = true;
    return came;
  }

  function decide({ sessionId, message }: ArrivalOf<"payment">, run: Run): Told {
    const type = random.pick("authorized", "authorized", "authorized", "authorized", "declined", "cancelled");
    if (type !== "authorized") return { type, facts: {} };
    const amount = weather.fault(0.03) ? run.total - 1 : run.total;
    ledger.charge(sessionId, amount, message.captureMode === "automatic");
    return { type, facts: approval(sessionId, amount, message.currency) };
  }

  const outcome = (run: Run | undefined, told: Told): Told => {
    if (run) run.latest = told;
    return told;
  };

  return {
    async pay(arrival, tell) {
      const { sessionId, message } = arrival;
      if (atReader) world.violate("two sessions at one card reader", `${atReader.sessionId} and ${sessionId}`);
      const capturesItself = message.captureMode === "automatic";
      const total = message.amount;
      const run: Run = { capturesItself, total, cardIn: false, abort: () => {}, latest: undefined, refunds: new Map() };
      memory.runs.set(sessionId, run);
      ledger.begin(sessionId);
      tell({ type: "accepted", facts: {} });
      const came = await waitForCard(sessionId, run);
      if (came === "card") await agenda.sleep(random.between(1, 6) * SECOND);
      run.latest = came === "card" ? decide(arrival, run) : { type: came, facts: {} };
      if (atReader?.sessionId === sessionId) atReader = undefined;
      ledger.end(sessionId);
      tell(run.latest);
    },
    restart: () => atReader?.stop("failed"),
    move({ sessionId, message }) {
      const run = memory.runs.get(sessionId);
      const fails = weather.fault(0.1);
      switch (message.type) {
        case "capture":
          if (fails) return outcome(run, { type: "captureFailed", facts: {} });
          if (!run?.capturesItself) ledger.capture(sessionId, message.amount);
          return outcome(run, { type: "captured", facts: {} });
        case "void":
          if (fails) return outcome(run, { type: "voidFailed", facts: {} });
          ledger.voidCharge(sessionId);
          return outcome(run, { type: "voided", facts: {} });
        case "refund": {
          const { refundId } = message;
          if (!fails) ledger.refund(sessionId, refundId, message.amount);
          const told: Told = { type: fails ? "refundFailed" : "refunded", facts: { refundId } };
          run?.refunds.set(refundId, told);
          return told;
        }
      }
    },
  };
}

/** The same authorisation whenever it is told. */
const approval = (sessionId: string, amount: number, currency: string): Facts => ({
  amount,
  currency,
  acquirer: { authorisationCode: `authorisation of ${sessionId}`, rrn: "1" },
});

export const isPayment = (arrival: Arrival): arrival is ArrivalOf<"payment"> => arrival.message.type === "payment";
