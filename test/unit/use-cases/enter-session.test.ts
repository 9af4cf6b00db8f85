import { describe, expect, it } from "vitest";
import { Unavailable } from "../../../shared/ports/failures.ts";
import { cancelPayment } from "../../../shared/use-cases/payments/cancel-payment.ts";
import { readPayment } from "../../../shared/use-cases/payments/read-payment.ts";
import { requestPayment } from "../../../shared/use-cases/payments/request-payment.ts";
import { fc } from "../../support/drawn.ts";
import { aPlatform, aRequest, aTerminal, callBy, partnerId } from "../../support/platform.ts";
import { rowsInTurn } from "../../support/rows-in-turn.ts";

const tills = ["aaaaaaaa-0000-4000-8000-00000000000a", "aaaaaaaa-0000-4000-8000-00000000000b"] as const;
const [first, second] = tills;
const { sessionId } = aRequest();

/** A platform with two terminals. Its calls to the tables wait for `turn` from the moment that `race` is called. */
async function aRace(turn: (act: () => Promise<unknown>) => Promise<unknown>) {
  const { open, race } = rowsInTurn(turn);
  const { deps } = await aPlatform({ open });
  for (const terminalId of tills) {
    await deps.terminals.save(aTerminal({ terminalId, idAsReceived: terminalId }), undefined);
    await deps.terminals.seen(terminalId, deps.clock.now());
  }
  const request = (terminalId: string) => requestPayment(deps, callBy(deps), aRequest({ sessionId, terminalId }));
  return {
    deps,
    race,
    request,
    /** A request whose process ends before its commit. */
    async die(terminalId: string) {
      const { commit } = deps.payments;
      deps.payments.commit = () => Promise.reject(new Unavailable("the process ends"));
      await expect(request(terminalId)).rejects.toThrow(Unavailable);
      deps.payments.commit = commit;
    },
    cancel: (terminalId: string) => cancelPayment(deps, callBy(deps), { sessionId, terminalId }),
    payments: async () => {
      const found = await Promise.all(
        tills.map((terminalId) => deps.payments.find({ partnerId, terminalId, sessionId })),
      );
      return found.flatMap((stored) => stored?.payment ?? []);
    },
  };
}

const conflict = { ok: false, error: { code: "session_conflict" } };

describe("a session", () => {
  it("whose request died may be requested at another terminal, and then not at the first one any more", async () => {
    const { deps, request, die, payments } = await aRace((act) => act());
    await die(first);
    expect(await request(second)).toMatchObject({ ok: true, value: { replayed: false } });
    expect(await request(first)).toMatchObject(conflict);
    expect(await payments()).toMatchObject([{ terminalId: second }]);
    expect(await readPayment(deps, callBy(deps), sessionId)).toMatchObject({ value: { terminalId: second } });
  });

  it("stays at the terminal of its payment", async () => {
    const { request, cancel, payments } = await aRace((act) => act());
    await request(first);
    expect(await request(second)).toMatchObject(conflict);
    expect(await cancel(second)).toMatchObject({ error: { code: "terminal_mismatch" } });
    expect(await request(first)).toMatchObject({ ok: true, value: { replayed: true } });
    expect(await payments()).toMatchObject([{ terminalId: first }]);
  });

  it("that was only cancelled at one terminal is refused at a busy one as any other, and may be requested there later", async () => {
    const { deps, request, die, cancel } = await aRace((act) => act());
    await die(first);
    await cancel(first);
    const terminal = aTerminal({ terminalId: second, idAsReceived: second });
    const view = await deps.terminals.find(second);
    await deps.terminals.save({ ...terminal, status: "maintenance" }, view?.etag);
    expect(await request(second)).toMatchObject({ ok: false, error: { code: "terminal_unavailable" } });
    await deps.terminals.save(terminal, (await deps.terminals.find(second))?.etag);
    expect(await request(second)).toMatchObject({ ok: true });
  });

  it("is not moved by a key that does not reach its first terminal", async () => {
    const { deps, request, die, payments } = await aRace((act) => act());
    await die(first);
    const call = callBy(deps);
    const narrow = { ...call, caller: { ...call.caller, terminalIds: [second] } };
    expect(await requestPayment(deps, narrow, aRequest({ sessionId, terminalId: second }))).toMatchObject(conflict);
    expect(await request(first)).toMatchObject({ ok: true });
    expect(await payments()).toMatchObject([{ terminalId: first }]);
  });

  it("begins at one terminal at most, and is found there, in whatever order its requests and a cancel reach the tables", async () => {
    const till = fc.constantFrom(...tills);
    const lost = fc.option(fc.record({ call: fc.nat(40), isDone: fc.boolean() }), { nil: undefined });
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), fc.array(till, { minLength: 2, maxLength: 4 }), fc.option(till), lost, run),
      { numRuns: 300 },
    );

    async function run(
      scheduler: fc.Scheduler,
      requested: readonly string[],
      cancelled: string | null,
      fault: { readonly call: number; readonly isDone: boolean } | undefined,
    ) {
      let calls = 0;
      const faulty = async (act: () => Promise<unknown>) => {
        const isLost = fault !== undefined && calls++ === fault.call;
        const done = isLost && !fault.isDone ? undefined : await act();
        if (isLost) throw new Unavailable("the response is lost");
        return done;
      };
      const { deps, race, request, cancel, payments } = await aRace((act) =>
        scheduler.schedule(Promise.resolve()).then(() => faulty(act)),
      );
      race(true);
      const asked = [...requested.map(request), ...(cancelled === null ? [] : [cancel(cancelled)])];
      const answers = await scheduler.waitFor(Promise.allSettled(asked));
      race(false);
      const found = await payments();
      expect(found.length).toBeLessThanOrEqual(1);
      const accepted = requested.filter((_, i) => {
        const answer = answers[i];
        return answer?.status === "fulfilled" && answer.value.ok;
      });
      for (const terminalId of accepted) expect(found).toMatchObject([{ terminalId }]);
      for (const { terminalId } of found)
        expect(await deps.sessions.find({ partnerId, sessionId })).toMatchObject({ terminalId });
    }
  });
});
