import type { PublishedRows } from "../emulators/azurite/published-rows.ts";
import type { Child } from "./child.ts";
import { watch } from "../emulators/common/publish.ts";
import type { PassedCall } from "../emulators/gateway/gateway.ts";
import type { CaughtMail } from "./mail-sink/sink.ts";
import type { QueueCounts } from "../emulators/service-bus/broker.ts";

/** What the parts of a stack publish, by their words. */
interface Items {
  /** A call that passed the gateway, after its response is complete. */
  readonly call: PassedCall;
  /** The queues whose counts are other than before; at first all. */
  readonly queues: readonly QueueCounts[];
  /** A mail that the mail sink caught. */
  readonly mail: CaughtMail;
  /** Rows as they are now, in the order of their commits; at first all. */
  readonly rows: PublishedRows;
}

/** One item that a part published. */
export type Published = {
  readonly [What in keyof Items]: { readonly what: What; readonly item: Items[What] };
}[keyof Items];

export type HearPublished = (published: Published) => void;

/** Has a part publish once it has started, and each time it starts again; without a hearer it publishes nothing. */
export async function published<Part extends Child>(
  starting: Promise<Part>,
  what: keyof Items,
  hear: HearPublished | undefined,
): Promise<Part> {
  const part = await starting;
  if (hear) watch(part.channel, what, (item) => hear({ what, item } as Published)); // the word decides the item's type
  return part;
}
