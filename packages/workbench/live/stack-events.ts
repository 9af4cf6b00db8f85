import { tableNames } from "../../../shared/stores/table-names.ts";
import type { OnPublished } from "../stack/published.ts";
import { boundedLists } from "./bounded-lists.ts";
import { callView, readCall, type ReadCall } from "./calls.ts";
import { readMail, type ReadMail } from "./mails.ts";
import type { LiveState } from "./state.ts";
import type { QueueView } from "./views/queues.ts";
import { LONGEST } from "./views/snapshot.ts";

/** The items that passed the gateway, the queues and the mail sink. */
export interface StackEvents {
  readonly onPublished: OnPublished;
  call(id: string): ReadCall | undefined;
  callsOf(sessionId: string): readonly ReadCall[];
  mail(id: string): ReadMail | undefined;
}

const CALLS_OF_ONE_PAYMENT = 200;

/** Shows the items that the parts of a stack publish. Rows go to the mirror. */
export function newPassed(state: Pick<LiveState, "put" | "set">, mirror: { take(rows: RowsItem): void }): StackEvents {
  const calls = boundedLists<ReadCall>({ keys: LONGEST.calls, items: 1 });
  const callsOf = boundedLists<ReadCall>({ keys: LONGEST.payments, items: CALLS_OF_ONE_PAYMENT });
  const mails = boundedLists<ReadMail>({ keys: LONGEST.mails, items: 1 });
  let queues: readonly QueueView[] = [];

  const hearCall = (call: ReadCall | undefined) => {
    if (!call) return;
    calls.add(call.id, call);
    if (call.sessionId !== undefined) callsOf.add(call.sessionId, call);
    state.put("calls", callView(call));
  };
  const hearMail = (mail: ReadMail) => {
    const { id, at, address, from, subject } = mail.detail;
    mails.add(id, mail);
    state.put("mails", { id, at, address, from, subject });
  };
  const hearQueues = (counted: readonly QueueView[]) => {
    const byName = new Map([...queues, ...counted].map((queue) => [queue.name, queue]));
    queues = [...byName.values()];
    state.set("queues", queues);
  };
  const onPublished: OnPublished = (published) => {
    switch (published.what) {
      case "rows":
        return isRead(published.item) ? mirror.take(published.item) : undefined;
      case "call":
        return hearCall(readCall(published.item));
      case "mail":
        return hearMail(readMail(published.item));
      case "queues":
        return hearQueues(published.item);
    }
  };
  return {
    onPublished(published) {
      try {
        onPublished(published);
      } catch (error) {
        console.error(error); // an item that cannot be shown must not stop the page or the stack
      }
    },
    call: (id) => calls.of(id)[0],
    callsOf: callsOf.of,
    mail: (id) => mails.of(id)[0],
  };
}

/** The tables that the page reads. Rows of the others would only use memory. */
const read: ReadonlySet<string> = new Set(
  [tableNames.alerts, tableNames.partners, tableNames.sessions, tableNames.terminals].map((name) => name.toLowerCase()),
);
const isRead = (rows: RowsItem): boolean => "begins" in rows || read.has(rows.table);

type RowsItem = Extract<Parameters<OnPublished>[0], { readonly what: "rows" }>["item"];
