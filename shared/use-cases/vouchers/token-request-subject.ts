import { requestHasEnded } from "../../domain/landing-page.ts";
import type { RequestKey } from "../../ports/subjects.ts";
import type { LandingPages } from "../../stores/landing-pages.ts";
import type { SubjectRules } from "../outbox/subject.ts";

/** The outbox's rules for requests for access tokens. */
export const tokenRequestSubject = (stores: { readonly landingPages: LandingPages }): SubjectRules<RequestKey> => ({
  async find(key) {
    const read = await stores.landingPages.findRequest(key);
    if (!read) return undefined;
    const unlisted = { ...read.request, listedOn: undefined };
    return {
      hasEnded: requestHasEnded(read.request),
      unlist: () => stores.landingPages.commit(unlisted, read.etag, undefined),
    };
  },
});
