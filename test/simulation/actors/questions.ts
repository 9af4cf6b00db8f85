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
  const { quirks } = world;
  const questions: Question[] = [];
  if (!quirks.chance(0.25)) return questions;
  const answer = createAnswers(world, client, { questions, keys });
  const tryAsStranger = createStrangerTries(world, client);
  const ask = createAsks(world, client, { answer, tryAsStranger });

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
    void ask(question, quirks.pick(undefined, plan));
  }
  return questions;
}

/** Notes the state that a response shows. */
const note = (question: Question, answer: Result<ActionRequest, Refusal> | undefined) => {
  if (answer?.ok) question.shown.add(answer.value.status);
  return answer;
};

type ToQuestion = (question: Question) => Promise<void>;

/** A terminal raises its action request, and perhaps withdraws it. Meanwhile others answer it. */
function createAsks(
  { agenda, quirks }: World,
  { call, insist }: Client,
  { answer, tryAsStranger }: { readonly answer: ToQuestion; readonly tryAsStranger: ToQuestion },
) {
  async function raise(question: Question, input: RaiseInput) {
    const { terminal, actionRequestId } = question;
    const shown = await call(`${terminal.terminalId} asks ${actionRequestId}`, async (deps) => {
      const raised = await raiseActionRequest(deps, callFrom(deps, terminal), input);
      return raised.ok ? { ok: true, value: raised.value.action } : raised;
    });
    if (shown?.ok) question.isRaised = true;
    return note(question, shown);
  }

  return async (question: Question, session: Plan | undefined): Promise<void> => {
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
    for (let answers = quirks.pick(0, 1, 1, 2, 3); answers > 0; answers--) void answer(question);
    if (quirks.chance(0.3)) void tryAsStranger(question);
    await insist(() => raise(question, input), { times: 8, pause: () => quirks.between(1, 5) * SECOND });
    if (!question.isRaised || quirks.chance(0.7)) return;
    await agenda.sleep(quirks.between(0, 180) * SECOND);
    const takeBack = { ...input, withdraw: true };
    await insist(() => raise(question, takeBack), { times: 8, pause: () => quirks.between(1, 5) * SECOND });
  };
}

/** A partner reads and answers an action request once, and repeats its call until it has a response. */
function createAnswers(
  world: World,
  { call, insist }: Client,
  { questions, keys }: { readonly questions: readonly Question[]; readonly keys: Keys },
) {
  const { agenda, quirks } = world;

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

  return async (question: Question): Promise<void> => {
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
        const given = await call(`answer ${isNamed ? actionRequestId : "a question"}`, async (deps) => {
          const answered = await respondToActionRequest(deps, callOf(deps, caller), input);
          return answered.ok ? { ok: true, value: answered.value.action } : answered;
        });
        if (given?.ok) noteAnswer(given.value, responseCode, isNamed ? undefined : caller.keyId);
        return given;
      },
      { times: 4, pause: () => quirks.between(1, 10) * SECOND },
    );
  };
}

/** An unauthorized caller tries to read or answer an action request. */
function createStrangerTries(world: World, { call }: Client): ToQuestion {
  const { agenda, quirks } = world;
  return async ({ actionRequestId }: Question): Promise<void> => {
    await agenda.sleep(quirks.between(0, 3 * MINUTE));
    const stranger = { partnerId: "stranger", keyId: "stranger" };
    const isReading = quirks.chance(0.5);
    const answer = await call<unknown>(`a stranger answers ${actionRequestId}`, (deps) =>
      isReading
        ? readAndNoteActionRequest(deps, callOf(deps, stranger), actionRequestId)
        : respondToActionRequest(deps, callOf(deps, stranger), { responseCode: "accepted", actionRequestId }),
    );
    if (answer?.ok) world.violate("an unauthorized caller reached an action request", actionRequestId);
  };
}
