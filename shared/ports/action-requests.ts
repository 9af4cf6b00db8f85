import type { ActionRequest } from "../domain/action-request.ts";
import type { NewCommand } from "./commands.ts";
import type { ActionKey } from "./subjects.ts";

export interface StoredAction {
  readonly action: ActionRequest;
  readonly etag: string;
}

/** Action requests, one partition for each partner, so that its pending ones are found without a scan. */
export interface ActionRequests {
  find(key: ActionKey): Promise<StoredAction | undefined>;
  /** The partner's pending action requests, with the terminals that raised them. */
  pending(partnerId: string): Promise<{ readonly actionRequestId: string; readonly terminalId: string }[]>;
  /** Writes the action request, its pending row and its command in one group. Throws `Conflict` when it changed since it was read. */
  commit(action: ActionRequest, read: StoredAction | undefined, command: NewCommand | undefined): Promise<void>;
}
