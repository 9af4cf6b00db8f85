import type { PublishedRows } from "../../local-azure/azurite/published-rows.ts";
import type { Child } from "./child.ts";
import { watch } from "../../local-azure/common/publish.ts";
import type { PassedCall } from "../../local-azure/gateway/gateway.ts";
import type { CaughtMail } from "./mail-sink/sink.ts";
import type { QueueCounts } from "../../local-azure/service-bus/broker.ts";

/** The items that the parts of a stack publish, by kind. */
interface Items {
  /** A call through the gateway, published after its response is complete. */
  readonly call: PassedCall;
  /** The queues whose counts have changed. The first item has all queues. */
  readonly queues: readonly QueueCounts[];
  /** A mail that the mail sink caught. */
  readonly mail: CaughtMail;
  /** Rows as they are now, in the order of their commits. The first items have all rows. */
  readonly rows: PublishedRows;
}

/** One item that a part published. */
export type Published = {
  readonly [What in keyof Items]: { readonly what: What; readonly item: Items[What] };
}[keyof Items];

export type OnPublished = (published: Published) => void;

/** Has a part publish after its start. Without `onPublished` it publishes nothing. */
export async function published<Part extends Child>(
  starting: Promise<Part>,
  what: keyof Items,
  onPublished: OnPublished | undefined,
): Promise<Part> {
  const part = await starting;
  if (onPublished) watch(part.channel, what, (item) => onPublished({ what, item } as Published)); // `what` decides the item's type
  return part;
}
