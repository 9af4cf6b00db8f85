import type { RequestChange } from "../../domain/landing-page.ts";
import type { Clock, NewId } from "../../ports/clock.ts";
import type { LandingPages, StoredRequest } from "../../ports/landing-pages.ts";
import { announceAndCommit, type AnnounceDeps } from "../outbox/announce-and-commit.ts";
import type { RequestKey, Subject } from "../../ports/subjects.ts";

export interface CommitTokenRequestDeps extends AnnounceDeps {
  readonly landingPages: LandingPages;
  readonly clock: Clock;
  readonly newId: NewId;
}

/** Announces and commits what a worker did for a request. Throws `Conflict` and `Unavailable` as the protocol says. */
export async function commitTokenRequest(
  deps: CommitTokenRequestDeps,
  change: RequestChange | undefined,
  { etag }: StoredRequest,
  traceparent: string | undefined,
): Promise<void> {
  if (!change) return; // another copy of the announcement did it
  const { request, effects } = change;
  const command = effects.length > 0 ? { commandId: deps.newId(), effects } : undefined;
  const commit = () => deps.landingPages.commit(request, etag, command);
  await announceAndCommit(deps, requestSubject(request), command, commit, traceparent);
}

export const requestSubject = ({ landingPageId, requestId, createdAt }: RequestKey): Subject => ({
  kind: "tokenRequest",
  landingPageId,
  requestId,
  createdAt,
});
