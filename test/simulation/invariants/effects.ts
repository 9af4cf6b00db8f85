import { effectId, isImpliedBySubject } from "../../../shared/domain/effects.ts";
import { eventBody } from "../../../shared/use-cases/feed/event-body.ts";
import { webhookUrlOf } from "../actors/cast.ts";
import type { TerminalDevice } from "../actors/terminal.ts";
import type { Platform } from "../platform/platform.ts";
import type { Ending } from "../world/agenda.ts";
import type { World } from "../world/world.ts";
import type { Session } from "./snapshot.ts";

interface Ended {
  readonly platform: Platform;
  readonly devices: readonly TerminalDevice[];
  readonly feedOnly: string | undefined;
  readonly ending: Ending;
}

/** Every effect of every committed command was carried out. No message or webhook exists without such an effect. */
export function checkEffects(
  world: World,
  commands: Session["commands"],
  { platform: { webhookServer }, devices, feedOnly, ending }: Ended,
): void {
  const ready = commands.filter((c) => c.state === "ready");
  const committed = new Set(ready.map((c) => c.commandId));
  const eventIds = new Set<string>();
  for (const command of ready) {
    const { commandId, subject, effects, done } = command;
    for (const effect of effects) {
      // A payment's messages and looks are not marked as done. The checks of `quiet` and `deadlines` cover them.
      if (ending === "quiet" && !isImpliedBySubject(effect, subject) && !done.includes(effectId(effect)))
        world.violate("a committed effect was not carried out", `${commandId} ${effectId(effect)}`);
      if (effect.kind !== "webhook") continue;
      eventIds.add(effect.eventId);
      const got = webhookServer.received.get(effect.eventId);
      const isSent = !("partnerId" in subject && subject.partnerId === feedOnly);
      if (isSent && !got?.over) world.violate("a webhook never arrived", `${commandId} ${effect.eventId}`);
      if (got && "partnerId" in subject && got.url !== webhookUrlOf(subject.partnerId))
        world.violate("a webhook arrived at another partner", effect.eventId);
      if (got && got.body !== eventBody(command, effect)) world.violate("a webhook with other content", effect.eventId);
    }
  }
  for (const id of webhookServer.received.keys()) {
    if (!eventIds.has(id)) world.violate("a webhook without a commit", id);
  }
  for (const { memory, endings } of devices) {
    const answers = [...endings.values()].flatMap((heard) => [...heard.keys()]);
    for (const messageId of [...memory.answers.keys(), ...answers]) {
      if (!committed.has(messageId) && !world.lostTime.commands.has(messageId))
        world.violate("a message without a commit", messageId);
    }
  }
}
