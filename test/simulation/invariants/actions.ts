import type { ActionRequest } from "../../../shared/domain/action-request.ts";
import type { TerminalDevice } from "../actors/terminal.ts";
import type { Question } from "../actors/questions.ts";
import type { Platform } from "../platform/platform.ts";
import type { Ending } from "../world/agenda.ts";
import type { World } from "../world/world.ts";
import { toldTo, type Told } from "./events.ts";

/**
 * At the end each action request is answered, expired or withdrawn, as every response said. Its terminal got that one end, in one message,
 * unless it withdrew the request itself. The partner was notified when the request was raised and when it expired.
 */
export async function checkActions(
  world: World,
  questions: readonly Question[],
  platform: Platform,
  { devices, ending }: { readonly devices: readonly TerminalDevice[]; readonly ending: Ending },
): Promise<void> {
  const { ports } = platform;
  for (const question of questions) {
    const { actionRequestId, terminal } = question;
    const { action } = (await ports.actionRequests.find({ partnerId: terminal.partnerId, actionRequestId })) ?? {};
    if (!action) {
      if (question.isRaised) world.violate("a raised action request is missing", actionRequestId);
      continue;
    }
    checkQuestion(world, question, action, await toldTo(platform, terminal.partnerId));
    const device = devices.find((d) => d.terminal.terminalId === terminal.terminalId);
    if (device) checkDelivery(world, action, device);
    if (ending !== "quiet") continue;
    const pending = await ports.actionRequests.pending(terminal.partnerId);
    if (pending.some((p) => p.actionRequestId === actionRequestId))
      world.violate("a concluded action request is listed as pending", actionRequestId);
  }
}

function checkQuestion(
  world: World,
  { shown }: Question,
  { actionRequestId, status }: ActionRequest,
  told: Told,
): void {
  if (status === "pending") world.violate("an action request never ends", actionRequestId);
  for (const state of shown) {
    if (state !== "pending" && state !== status)
      world.violate(
        "an action request ended in another state than a response showed",
        `${actionRequestId}: ${status}, not ${state}`,
      );
  }
  const typeOf = (sequence: number): unknown => {
    const event = told.get(`${actionRequestId}_${sequence}`);
    return event && (JSON.parse(event.body) as { type: unknown }).type;
  };
  if (typeOf(1) !== "actionRequest.created") world.violate("an action request without its webhook", actionRequestId);
  if ((typeOf(2) === "actionRequest.expired") !== (status === "expired"))
    world.violate("a webhook reported another end of an action request", `${actionRequestId} ${status}`);
}

function checkDelivery(world: World, { actionRequestId, status }: ActionRequest, device: TerminalDevice): void {
  const heard = device.endings.get(actionRequestId) ?? new Map<string, string>();
  if (heard.size > 1) world.violate("an action request's end was sent in two messages", actionRequestId);
  if ([...heard.values()].some((end) => end !== status || end === "cancelled"))
    world.violate("a terminal received another end of its action request", `${actionRequestId} ${status}`);
  if (heard.size === 0 && status !== "cancelled" && !device.diesForEver)
    world.violate("a terminal never received the end of its action request", `${actionRequestId} ${status}`);
}
