import type * as schemas from "./schema.ts";

/** A landing page, and the status of its latest requests. */
export type LandingPage = schemas.LandingPage;
/** A customer's request. The same page, button and address within a day repeat the request, and do not result in another voucher or key. */
export type LandingPageRequest = schemas.LandingPageRequest;
/** A request for a voucher or key, and its status. */
export type TokenRequest = schemas.TokenRequest;
export type Problem = schemas.Problem;
/** The code that programs act on. A later platform may send codes that this version does not list. */
export type ProblemCode = Problem["code"];
