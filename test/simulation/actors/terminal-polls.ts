import { toTerminalMessage } from "../../../shared/contracts/objects/terminal-message.ts";
import type { TerminalCall } from "../../../shared/use-cases/caller.ts";
import { leaseNextMessage } from "../../../shared/use-cases/terminals/lease-next-message.ts";
import type { Http } from "../platform/http.ts";
import type { Deps, Platform } from "../platform/platform.ts";
import { SECOND } from "../world/time.ts";
import type { World } from "../world/world.ts";
import type { DoneAlready } from "./done-already.ts";
import type { Habits } from "./habits.ts";
import { checkHandedOut } from "./handed-out.ts";
import { watchPoll } from "./passed-over.ts";
import type { TerminalFaults } from "./terminal-faults.ts";
import type { Arrival, TerminalMemory } from "./terminal-memory.ts";

/** The terminal that polls. */
interface Poller {
  readonly terminalId: string;
  readonly memory: Pick<TerminalMemory, "outbox">;
  readonly habits: Habits;
  readonly faults: TerminalFaults;
  readonly done: DoneAlready;
  /** Authenticates the terminal as the endpoint does for each call. */
  readonly authenticated: (deps: Deps) => Promise<TerminalCall>;
  /** Acts on a message that arrived. */
  readonly obey: (arrival: Arrival) => Promise<void>;
}

/** Lets the terminal poll for messages forever. It obeys each message that arrives and is not lost. */
export function startPolls(
  world: World,
  { platform, http }: { readonly platform: Platform; readonly http: Http },
  { terminalId, memory, habits, faults, done, authenticated, obey }: Poller,
): void {
  const { agenda, random, faultPlan } = world;
  /** One poll. It fails only if its process dies or a response is lost. */
  async function fetch(deps: Deps): Promise<Arrival | undefined> {
    const call = await authenticated(deps);
    const now = deps.clock.now();
    const { inboxes } = platform.ports;
    const wait = faultPlan.fault(0.05, "long poll") ? random.pick(3, 3, 20, 55) : 0;
    const before = await inboxes.unanswered(terminalId);
    const received = habits.received(lastArrived);
    const poll = watchPoll(world, platform, terminalId);
    const checkDone = done.poll();
    const leased = await leaseNextMessage(poll.timed(deps), call, wait, { received });
    if (!leased.ok) throw new Error("No host of the simulation limits its polls.");
    const row = leased.value;
    if (!row) {
      await poll.endedWithNothing({ deps, wait, received, quietFor: agenda.now() - writtenAt });
      return undefined;
    }
    checkHandedOut(world, row, { now, before, after: await inboxes.unanswered(terminalId) });
    await checkDone(row);
    const { expiresInMs } = toTerminalMessage(row, deps.clock.now());
    return { messageId: row.messageId, sessionId: row.slot.sessionId, expiresInMs, message: row.message };
  }

  let lastArrived: string | undefined;
  async function listen(): Promise<never> {
    for (;;) {
      await faults.audible();
      await faults.listening();
      if (memory.outbox.some((report) => "startedAs" in report)) {
        await agenda.sleep(SECOND); // a start is reported before the next poll
        continue;
      }
      const answer = await http({ name: `${terminalId} polls`, waits: true }, fetch);
      if (answer.kind === "answered" && answer.value) lastArrived = answer.value.messageId;
      if (answer.kind !== "answered") await agenda.sleep(random.between(500, 2_000));
      else if (answer.value && faultPlan.fault(0.1, "terminal loses a message")) faults.forget(answer.value);
      else if (answer.value) await obey(answer.value);
      else if (await hasAny()) await agenda.sleep(random.between(1, 5) * SECOND);
      else await somethingNew();
    }
  }

  // A real terminal polls all the time. This terminal polls only when there may be a message, which is equivalent.
  let wake = () => {};
  let writtenAt = 0;
  platform.stores.watchTerminal(terminalId, () => {
    writtenAt = agenda.now();
    wake();
  });
  const somethingNew = () =>
    new Promise<void>((resolve) => {
      wake = () => agenda.after(random.between(20, 1_000), resolve);
    });
  const hasAny = async () => (await platform.ports.inboxes.unanswered(terminalId)).length > 0;

  void listen();
}
