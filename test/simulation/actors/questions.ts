import type { ActionRequest, ActionState } from "../../../shared/domain/action-request.ts";
import type { Refusal } from "../../../shared/domain/refusal.ts";
import type { Result } from "../../../shared/domain/result.ts";
import type { Terminal } from "../../../shared/domain/terminal.ts";
import {
  respondToActionRequest,
  type ActionResponseInput,
} from "../../../shared/use-cases/action-requests/respond-to-action-request.ts";
import { raiseActionRequest, type RaiseInput } from "../../../shared/use-cases/action-requests/raise-action-request.ts";
import { readActionRequest } from "../../../shared/use-cases/action-requests/read-action-request.ts";
import { callFrom, callOf } from "../../support/calls.ts";
import { MINUTE, SECOND } from "../world/time.ts";
import type { World } from "../world/world.ts";
import type { Client } from "./client.ts";
import type { Plan } from "./plan.ts";
import { voucherId } from "./voucher.ts";

/** A question that a terminal asks its partner, and what terminal and partner were told of it. */
export interface Question {
  readonly actionRequestId: string;
  readonly terminal: Terminal;
  /** The terminal was told that its partner is asked. */
  isRaised: boolean;
  /** The states in which answers showed it, the endings that a caller was promised among them. */
  readonly told: Set<ActionState>;
  /** The partner's keys that may have read it. */
  readonly readBy: Set<string>;
}

/**
 * In one world of four terminals ask questions, within a payment and without one, and take some back. Partners read and answer them: soon,
 * late or never, by name or not, twice and in two minds; and somebody else tries to.
 */
export function startQuestions(world: World, client: Client, plans: readonly Plan[]): readonly Question[] {
  const { agenda, quirks } = world;
  const { call, insist } = client;
  const questions: Question[] = [];
  if (!quirks.chance(0.25)) return questions;

  const note = (question: Question, answer: Result<ActionRequest, Refusal> | undefined) => {
    if (answer?.ok) question.told.add(answer.value.status);
    return answer;
  };

  async function raise(question: Question, input: RaiseInput) {
    const { terminal, actionRequestId } = question;
    const answer = await call(`${terminal.terminalId} asks ${actionRequestId}`, async (deps) => {
      const raised = await raiseActionRequest(deps, callFrom(deps, terminal), input);
      return raised.ok ? { ok: true, value: raised.value.action } : raised;
    });
    if (answer?.ok) question.isRaised = true;
    return note(question, answer);
  }

  async function asking(question: Question, session: Plan | undefined): Promise<void> {
    const { actionRequestId } = question;
    await agenda.sleep(quirks.between(0, quirks.pick(1, 6) * MINUTE));
    const input: RaiseInput = {
      actionRequestId,
      idAsReceived: actionRequestId.toUpperCase(),
      actionCode: "gate",
      sessionId: session?.sessionId,
      code: quirks.pick(undefined, voucherId, "nobody's"),
      withdraw: false,
    };
    for (let answers = quirks.pick(0, 1, 1, 2, 3); answers > 0; answers--) void answering(question);
    if (quirks.chance(0.3)) void trying(question);
    await insist(() => raise(question, input), { times: 8, pause: () => quirks.between(1, 5) * SECOND });
    if (!question.isRaised || quirks.chance(0.7)) return;
    await agenda.sleep(quirks.between(0, 180) * SECOND);
    const takeBack = { ...input, withdraw: true };
    await insist(() => raise(question, takeBack), { times: 8, pause: () => quirks.between(1, 5) * SECOND });
  }

  async function answering(question: Question): Promise<void> {
    const { actionRequestId, terminal, readBy } = question;
    const caller = { partnerId: terminal.partnerId, keyId: quirks.pick("one key", "other key") };
    await agenda.sleep(quirks.between(1, quirks.pick(20, 115, 200)) * SECOND);
    if (quirks.chance(0.6)) {
      readBy.add(caller.keyId);
      const read = await call(`read ${actionRequestId}`, (deps) =>
        readActionRequest(deps, callOf(deps, caller), actionRequestId),
      );
      note(question, read);
    }
    const responseCode = quirks.pick<ActionResponseInput["responseCode"]>("accepted", "declined");
    const isNamed = quirks.chance(0.7);
    await insist(
      async () => {
        const asked = { responseCode, actionRequestId: isNamed ? actionRequestId : undefined };
        const answer = await call(`answer ${isNamed ? actionRequestId : "a question"}`, async (deps) => {
          const answered = await respondToActionRequest(deps, callOf(deps, caller), asked);
          return answered.ok ? { ok: true, value: answered.value.action } : answered;
        });
        if (answer?.ok) noteAnswer(answer.value, responseCode, isNamed ? undefined : caller.keyId);
        return answer;
      },
      { times: 4, pause: () => quirks.between(1, 10) * SECOND },
    );
  }

  /** An answer that is accepted is that of the question, for good; one without a name only of what its key has read. */
  function noteAnswer({ actionRequestId, status }: ActionRequest, responseCode: ActionState, bareKey?: string): void {
    const answered = questions.find((q) => q.actionRequestId === actionRequestId);
    answered?.told.add(status);
    if (status !== responseCode) world.violate("an answer is taken for another", `${actionRequestId} ${status}`);
    if (bareKey !== undefined && !answered?.readBy.has(bareKey))
      world.violate("an answer without a name to what its key never read", actionRequestId);
  }

  async function trying({ actionRequestId }: Question): Promise<void> {
    await agenda.sleep(quirks.between(0, 3 * MINUTE));
    const stranger = { partnerId: "stranger", keyId: "stranger" };
    const isReading = quirks.chance(0.5);
    const answer = await call<unknown>(`a stranger answers ${actionRequestId}`, (deps) =>
      isReading
        ? readActionRequest(deps, callOf(deps, stranger), actionRequestId)
        : respondToActionRequest(deps, callOf(deps, stranger), { responseCode: "accepted", actionRequestId }),
    );
    if (answer?.ok) world.violate("a question is reached by a stranger", actionRequestId);
  }

  for (const plan of plans) {
    if (quirks.chance(0.5)) continue;
    const question: Question = {
      actionRequestId: world.newId(),
      terminal: plan.terminal,
      isRaised: false,
      told: new Set(),
      readBy: new Set(),
    };
    questions.push(question);
    void asking(question, quirks.pick(undefined, plan));
  }
  return questions;
}
