import type { RequestChange } from "../../domain/landing-page.ts";
import type { CallContext } from "../../ports/clock.ts";
import type { StoredRequest } from "../../stores/landing-pages.ts";
import { announceAndCommit, type AnnounceDeps } from "../outbox/announce-and-commit.ts";
import type { RequestKey, Subject } from "../../ports/subjects.ts";
import type { Needs } from "../needs.ts";

export type CommitTokenRequestDeps = AnnounceDeps & Needs<"landingPages">;

/** Announces and commits a worker's change of a request. Throws `Conflict` and `Unavailable` as `announceAndCommit` does. */
export async function commitTokenRequest(
  deps: CommitTokenRequestDeps,
  call: CallContext,
  change: RequestChange | undefined,
  read: StoredRequest,
): Promise<void> {
  if (!change) return; // another copy of the announcement did it
  const { request, effects } = change;
  const command = effects.length > 0 ? { commandId: call.newId(), effects } : undefined;
  await announceAndCommit(deps, {
    subject: requestSubject(request),
    command,
    call,
    commit: () => deps.landingPages.commit(request, read, command),
  });
}

export const requestSubject = ({ landingPageId, requestId, createdAt }: RequestKey): Subject => ({
  kind: "tokenRequest",
  landingPageId,
  requestId,
  createdAt,
});
