import type { ActionRequest } from "../../../shared/domain/action-request.ts";
import type { TerminalDevice } from "../actors/terminal.ts";
import type { Question } from "../actors/questions.ts";
import type { Platform } from "../platform/platform.ts";
import type { Ending } from "../world/agenda.ts";
import type { World } from "../world/world.ts";

/**
 * When all is quiet each question is answered, expired or taken back, as everybody was told; its terminal got that one ending, in one
 * message, unless it took the question back itself, and the partner was told that it is asked and that its time is over.
 */
export async function checkActions(
  world: World,
  questions: readonly Question[],
  { ports, webhookServer }: Platform,
  { devices, ending }: { readonly devices: readonly TerminalDevice[]; readonly ending: Ending },
): Promise<void> {
  for (const question of questions) {
    const { actionRequestId, terminal } = question;
    const { action } = (await ports.actionRequests.find({ partnerId: terminal.partnerId, actionRequestId })) ?? {};
    if (!action) {
      if (question.isRaised) world.violate("a question was asked, and is not there", actionRequestId);
      continue;
    }
    checkQuestion(world, question, action, webhookServer);
    const device = devices.find((d) => d.terminal.terminalId === terminal.terminalId);
    if (device) checkDelivery(world, action, device);
    if (ending !== "quiet") continue;
    const pending = await ports.actionRequests.pending(terminal.partnerId);
    if (pending.some((p) => p.actionRequestId === actionRequestId))
      world.violate("a question is over, and listed as pending", actionRequestId);
  }
}

function checkQuestion(
  world: World,
  { told }: Question,
  { actionRequestId, status }: ActionRequest,
  { received }: Platform["webhookServer"],
): void {
  if (status === "pending") world.violate("a question never ends", actionRequestId);
  for (const state of told) {
    if (state !== "pending" && state !== status)
      world.violate("a question ends otherwise than was told", `${actionRequestId}: ${status}, not ${state}`);
  }
  const typeOf = (sequence: number): unknown => {
    const event = received.get(`${actionRequestId}_${sequence}`);
    return event && (JSON.parse(event.body) as { type: unknown }).type;
  };
  if (typeOf(1) !== "actionRequest.created") world.violate("a question that its partner never heard", actionRequestId);
  if ((typeOf(2) === "actionRequest.expired") !== (status === "expired"))
    world.violate("a question whose end the partner was told otherwise", `${actionRequestId} ${status}`);
}

function checkDelivery(world: World, { actionRequestId, status }: ActionRequest, device: TerminalDevice): void {
  const heard = device.endings.get(actionRequestId) ?? new Map<string, string>();
  if (heard.size > 1) world.violate("a question's end is told in two messages", actionRequestId);
  if ([...heard.values()].some((told) => told !== status || told === "cancelled"))
    world.violate("a terminal heard another end of its question", `${actionRequestId} ${status}`);
  if (heard.size === 0 && status !== "cancelled" && !device.diesForEver)
    world.violate("a terminal never heard the end of its question", `${actionRequestId} ${status}`);
}
