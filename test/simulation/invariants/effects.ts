import { effectId } from "../../../shared/domain/effects.ts";
import { eventBody } from "../../../shared/use-cases/webhooks/event-body.ts";
import { webhookUrlOf } from "../actors/cast.ts";
import type { TerminalDevice } from "../actors/terminal.ts";
import type { Platform } from "../platform/platform.ts";
import type { Ending } from "../world/agenda.ts";
import type { World } from "../world/world.ts";
import type { Session } from "./snapshot.ts";

/** What was committed happened, and nothing else: every effect of every command, and no message or webhook without one. */
export function checkEffects(
  world: World,
  commands: Session["commands"],
  { webhookServer }: Platform,
  devices: readonly TerminalDevice[],
  ending: Ending,
): void {
  const ready = commands.filter((c) => c.state === "ready");
  const committed = new Set(ready.map((c) => c.commandId));
  const told = new Set<string>();
  for (const command of ready) {
    const { commandId, subject, effects, done } = command;
    for (const effect of effects) {
      // What a payment's own state tells is not marked: that it has left `pending`, and waits for no deadline, `endings` holds it to.
      const isTold = subject.kind === "payment" && (effect.kind === "admission" || effect.kind === "deadline");
      if (ending === "quiet" && !isTold && !done.includes(effectId(effect)))
        world.violate("committed, and forgotten", `${commandId} ${effectId(effect)}`);
      if (effect.kind !== "webhook") continue;
      told.add(effect.eventId);
      const got = webhookServer.received.get(effect.eventId);
      if (!got?.over) world.violate("a webhook never arrived", `${commandId} ${effect.eventId}`);
      if (got && "partnerId" in subject && got.url !== webhookUrlOf(subject.partnerId))
        world.violate("a webhook at another partner's", effect.eventId);
      if (got && got.body !== eventBody(command, effect)) world.violate("a webhook in other words", effect.eventId);
    }
  }
  for (const id of webhookServer.received.keys()) {
    if (!told.has(id)) world.violate("a webhook of what was not committed", id);
  }
  for (const { memory, endings } of devices) {
    const answers = [...endings.values()].flatMap((heard) => [...heard.keys()]);
    for (const messageId of [...memory.answers.keys(), ...answers]) {
      if (!committed.has(messageId)) world.violate("a message of what was not committed", messageId);
    }
  }
}
