import type { ActionRequest, ActionState } from "../../../shared/domain/action-request.ts";
import type { Refusal } from "../../../shared/domain/refusal.ts";
import type { Result } from "../../../shared/domain/result.ts";
import type { Terminal } from "../../../shared/domain/terminal.ts";
import {
  respondToActionRequest,
  type ActionResponseInput,
} from "../../../shared/use-cases/action-requests/respond-to-action-request.ts";
import { raiseActionRequest, type RaiseInput } from "../../../shared/use-cases/action-requests/raise-action-request.ts";
import { readAndNoteActionRequest } from "../../../shared/use-cases/action-requests/read-and-note-action-request.ts";
import { callFrom, callOf } from "../../support/calls.ts";
import { MINUTE, SECOND } from "../world/time.ts";
import type { World } from "../world/world.ts";
import type { Client } from "./client.ts";
import type { Keys } from "./keys.ts";
import type { Plan } from "./plan.ts";
import { voucherId } from "./voucher.ts";

/** A terminal's action request, and the states of it that responses showed terminal and partner. */
export interface Question {
  readonly actionRequestId: string;
  readonly terminal: Terminal;
  /** Whether the terminal got the response that its request is raised. */
  isRaised: boolean;
  /** The states in responses, including the ends that callers were promised. */
  readonly shown: Set<ActionState>;
  /** The partner's keys that may have read it. */
  readonly readBy: Set<string>;
}

/**
 * In one of four worlds terminals raise action requests, within a payment and without one, and withdraw some. Partners read and answer them
 * soon, late or never, by name or not, twice and with different answers. An unauthorized caller tries to answer as well.
 */
export function startQuestions(
  world: World,
  client: Client,
  { plans, keys }: { readonly plans: readonly Plan[]; readonly keys: Keys },
): readonly Question[] {
  const { agenda, quirks } = world;
  const { call, insist } = client;
  const questions: Question[] = [];
  if (!quirks.chance(0.25)) return questions;

  const note = (question: Question, answer: Result<ActionRequest, Refusal> | undefined) => {
    if (answer?.ok) question.shown.add(answer.value.status);
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
      code: quirks.pick(undefined, voucherId, "unknown"),
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
        readAndNoteActionRequest(deps, callOf(deps, caller), actionRequestId),
      );
      note(question, read);
    }
    const responseCode = quirks.pick<ActionResponseInput["responseCode"]>("accepted", "declined");
    const isNamed = quirks.chance(0.7);
    const idempotencyKey = keys.ofChange();
    await insist(
      async () => {
        const input = { responseCode, actionRequestId: isNamed ? actionRequestId : undefined, idempotencyKey };
        const answer = await call(`answer ${isNamed ? actionRequestId : "a question"}`, async (deps) => {
          const answered = await respondToActionRequest(deps, callOf(deps, caller), input);
          return answered.ok ? { ok: true, value: answered.value.action } : answered;
        });
        if (answer?.ok) noteAnswer(answer.value, responseCode, isNamed ? undefined : caller.keyId);
        return answer;
      },
      { times: 4, pause: () => quirks.between(1, 10) * SECOND },
    );
  }

  /**
   * An accepted response is the action request's final response. A response without a name concludes only a request that its key has read.
   */
  function noteAnswer({ actionRequestId, status }: ActionRequest, responseCode: ActionState, bareKey?: string): void {
    const answered = questions.find((q) => q.actionRequestId === actionRequestId);
    answered?.shown.add(status);
    if (status !== responseCode) world.violate("a response was recorded as another", `${actionRequestId} ${status}`);
    if (bareKey !== undefined && !answered?.readBy.has(bareKey))
      world.violate("an unnamed response concluded an action request that its key had not read", actionRequestId);
  }

  async function trying({ actionRequestId }: Question): Promise<void> {
    await agenda.sleep(quirks.between(0, 3 * MINUTE));
    const stranger = { partnerId: "stranger", keyId: "stranger" };
    const isReading = quirks.chance(0.5);
    const answer = await call<unknown>(`a stranger answers ${actionRequestId}`, (deps) =>
      isReading
        ? readAndNoteActionRequest(deps, callOf(deps, stranger), actionRequestId)
        : respondToActionRequest(deps, callOf(deps, stranger), { responseCode: "accepted", actionRequestId }),
    );
    if (answer?.ok) world.violate("an unauthorized caller reached an action request", actionRequestId);
  }

  for (const plan of plans) {
    if (quirks.chance(0.5)) continue;
    const question: Question = {
      actionRequestId: world.newId(),
      terminal: plan.terminal,
      isRaised: false,
      shown: new Set(),
      readBy: new Set(),
    };
    questions.push(question);
    void asking(question, quirks.pick(undefined, plan));
  }
  return questions;
}
