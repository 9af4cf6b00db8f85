import type { ActionRequest } from "../domain/action-request.ts";
import type { NewCommand } from "./commands.ts";
import type { ActionKey } from "./subjects.ts";

export interface StoredAction {
  readonly action: ActionRequest;
  readonly etag: string;
}

/** Action requests, each partner's in a partition of its own, so that its pending ones are found without a scan. */
export interface ActionRequests {
  find(key: ActionKey): Promise<StoredAction | undefined>;
  /** The partner's pending ones, with the terminals that raised them. */
  pending(partnerId: string): Promise<{ readonly actionRequestId: string; readonly terminalId: string }[]>;
  /** Writes the request, whether it is pending, and its command in one group. Throws `Conflict`. */
  commit(action: ActionRequest, read: StoredAction | undefined, command: NewCommand | undefined): Promise<void>;
}
