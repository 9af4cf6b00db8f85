import type { PaymentKey } from "../../../shared/ports/subjects.ts";
import { queueNames } from "../../../infra/operator/common/dead-letter-queues.ts";
import type { Stack } from "../stack/stack.ts";
import { curlOf } from "./curl.ts";
import type { Counter } from "./counter.ts";
import { subjectOfEvent } from "./event-subject.ts";
import { clearFaults, setFault } from "./faults.ts";
import { lanesOf } from "./lanes.ts";
import { carryOut, closeOpenAlert, previewWord, sendAgain, sendDeadLettersAgain } from "./operator.ts";
import type { StackEvents } from "./stack-events.ts";
import { paymentDetail, paymentKeyIn } from "./payments.ts";
import type { Receiver } from "./receiver.ts";
import type { Records } from "./records.ts";
import { Refusal, type LiveSource } from "./source.ts";
import type { LiveState } from "./state.ts";
import type { Traces } from "./traces.ts";
import { newTill } from "./till.ts";
import type { StackView } from "./views/stack.ts";

/** The parts of the page's source. */
export interface SourceParts {
  readonly state: LiveState;
  readonly records: Records;
  readonly passed: StackEvents;
  readonly traces: Traces;
  readonly receiver: Receiver;
  readonly counter: Pick<Counter, "atTerminal">;
  /** Reads the faults at once. */
  readonly lookAtFaults: () => void;
}

/** The data and actions of the page on a running stack. */
export function liveSource(
  { state, records, passed, traces, receiver, counter, lookAtFaults }: SourceParts,
  { stack, view }: { readonly stack: Pick<Stack, "file" | "faults">; readonly view: StackView },
): LiveSource {
  const { file, faults } = stack;

  const keyIn = (id: string): PaymentKey => {
    const key = paymentKeyIn(id);
    if (!key) throw new Refusal("There is no such payment.");
    return key;
  };
  return {
    snapshot: () => ({ stack: view, ...state.snapshot() }),
    subscribe: state.subscribe,
    async payment(id) {
      const inspected = await records.inspect(id);
      if (!inspected) return undefined;
      const { payment, history, deliveries } = inspected;
      const lanes = lanesOf({
        spans: traces.ofSession(
          payment.sessionId,
          history.flatMap(({ traceId }) => traceId ?? []),
        ),
        calls: passed.callsOf(payment.sessionId),
        eventTypes: new Map(deliveries.map(({ eventId, type }) => [eventId, type])),
      });
      return paymentDetail(inspected, lanes, records.registered(payment.terminalId));
    },
    mail: (id) => passed.mail(id)?.detail,
    mailHtml: (id) => passed.mail(id)?.html,
    call(id) {
      const call = passed.call(id);
      if (!call) return undefined;
      const { reportType: _, messageId: __, ...detail } = call;
      const { method, path, requestHeaders: headers, requestBody: body } = call;
      return { ...detail, curl: curlOf({ method, url: view.baseUrl + path, headers, body }) };
    },
    request: newTill(file),
    atTerminal: counter.atTerminal,
    preview: async (id, said) => previewWord(file, keyIn(id), said),
    resolve: async (id, input) => carryOut(file, keyIn(id), input),
    async closeAlert(id, input) {
      const alert = records.openAlert(id);
      if (!alert) throw new Refusal("This alert is no longer open.");
      await closeOpenAlert(file, alert, input);
    },
    async replayDeadLetters(name) {
      const queue = queueNames.find((one) => one === name);
      if (!queue) throw new Refusal(`There is no queue ${name}.`);
      await sendDeadLettersAgain(file, queue);
    },
    setReceiver: receiver.set,
    async resend(webhookId) {
      const webhook = state.find("webhooks", webhookId);
      if (!webhook) throw new Refusal("This webhook is no longer in the list.");
      const subject = subjectOfEvent(view.partnerID, webhook.body);
      if (!subject) throw new Refusal("This webhook is not from the platform.");
      await sendAgain(file, subject, webhook.eventId);
    },
    async setFault(input) {
      await setFault(faults, input);
      lookAtFaults();
    },
    async clearFaults(id) {
      await clearFaults(faults, id);
      lookAtFaults();
    },
  };
}
