import { describe, expect, it } from "vitest";
import { Unavailable } from "../../../shared/ports/failures.ts";
import { requestPayment } from "../../../shared/use-cases/payments/request-payment.ts";
import { aPayment } from "../../support/a-payment.ts";
import { inMemoryRows } from "../../support/in-memory-rows.ts";
import { aPlatform, aRequest, callBy, terminalId, type Platform } from "../../support/platform.ts";

/** The content of the terminal's inbox each time that its bell rings. */
function rung({ deps }: Platform) {
  const seen: Promise<readonly string[]>[] = [];
  const kinds = async () => (await deps.inboxes.unanswered(terminalId)).map(({ message }) => message.type);
  deps.bells.listen(terminalId, () => void seen.push(kinds()));
  return () => Promise.all(seen);
}

describe("a terminal's bell", () => {
  it("rings once a payment is enqueued for it", async () => {
    const platform = await aPlatform();
    const inbox = rung(platform);
    await requestPayment(platform.deps, callBy(platform.deps), aRequest());
    expect(await inbox()).toEqual([]);
    await platform.pass();
    expect(await inbox()).toEqual([["payment"]]);
  });

  it("rings once another message is enqueued", async () => {
    const payment = await aPayment();
    await payment.sendReport("accepted", { messageId: (await payment.fetch())?.messageId });
    const inbox = rung(payment.platform);
    await payment.cancel();
    await payment.platform.pass();
    expect(await inbox()).toEqual([["cancel"]]);
  });

  it("rings again when the worker that enqueued the message may have crashed before it rang", async () => {
    const payment = await aPayment();
    await payment.sendReport("accepted", { messageId: (await payment.fetch())?.messageId });
    await payment.cancel();
    const { platform } = payment;
    const { commands } = platform.deps;
    const inbox = rung(platform);
    const [slotState] = platform.queued.filter(({ queue }) => queue === "terminal-messages");
    if (!slotState) throw new Error("nothing was announced");
    const { markDone } = commands;
    commands.markDone = async () => Promise.reject(new Error("it dies"));
    await platform.handle(slotState);
    commands.markDone = markDone;
    await platform.handle(slotState);
    expect(await inbox()).toEqual([["cancel"], ["cancel"]]);
  });

  it("delays no message when it cannot be rung", async () => {
    const away = async () => Promise.reject(new Unavailable("away"));
    const platform = await aPlatform({
      open: (table) => ({ ...inMemoryRows(), ...(table === "bells" && { submit: away }) }),
    });
    await requestPayment(platform.deps, callBy(platform.deps), aRequest());
    await platform.pass();
    expect((await platform.deps.inboxes.unanswered(terminalId)).map(({ message }) => message.type)).toEqual([
      "payment",
    ]);
    expect(platform.log.of("effectFailed")).toEqual([]);
  });
});
