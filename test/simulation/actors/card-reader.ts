import type { World } from "../world/world.ts";
import { CALM, SECOND } from "../world/time.ts";
import type { CardLedger } from "./card-ledger.ts";
import { newRun, type Arrival, type ArrivalOf, type Facts, type MadeCharge } from "./terminal-memory.ts";
import type { Run, TerminalMemory, Told } from "./terminal-memory.ts";

/** The part of a terminal that takes cards. */
export interface CardReader {
  /** Takes a payment; it runs on by itself and is told of as it goes. */
  pay(arrival: ArrivalOf<"payment">, tell: (told: Told) => void): Promise<void>;
  /** Whatever a restart ends. */
  restart(): void;
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
    const charge = { chargeId: world.newId(), amount, currency: message.currency };
    run.charges.push(charge);
    ledger.charge({ ...charge, sessionId, taken: message.captureMode === "automatic" ? amount : 0 });
    return { type, facts: approval(charge) };
  }

  return {
    async pay(arrival, tell) {
      const { sessionId, message } = arrival;
      if (atReader) world.violate("two sessions at one card reader", `${atReader.sessionId} and ${sessionId}`);
      const run = newRun(message.amount);
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
  };
}

/** The same authorisation whenever it is told. */
const approval = (charge: MadeCharge): Facts => ({
  ...charge,
  acquirer: { authorisationCode: `authorisation of ${charge.chargeId}`, rrn: "1" },
});

export const isPayment = (arrival: Arrival): arrival is ArrivalOf<"payment"> => arrival.message.type === "payment";
