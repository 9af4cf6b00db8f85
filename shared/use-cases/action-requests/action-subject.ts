import { actionHasEnded } from "../../domain/action-request.ts";
import type { ActionKey } from "../../ports/subjects.ts";
import type { ActionRequests } from "../../stores/action-requests.ts";
import type { SubjectRules } from "../outbox/subject.ts";

/** The outbox's rules for action requests. */
export const actionSubject = (stores: { readonly actionRequests: ActionRequests }): SubjectRules<ActionKey> => ({
  async find(key) {
    const read = await stores.actionRequests.find(key);
    if (!read) return undefined;
    const unlisted = { ...read.action, listedOn: undefined };
    return {
      hasEnded: actionHasEnded(read.action),
      unlist: () => stores.actionRequests.commit(unlisted, read, undefined),
    };
  },
});
