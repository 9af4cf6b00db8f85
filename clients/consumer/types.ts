import type * as schemas from "./schema.ts";

/** A landing page, and how its latest requests stand. */
export type LandingPage = schemas.LandingPage;
/** What a customer requests. The same page, button and address within a day repeat the request, and bring no other voucher or key. */
export type LandingPageRequest = schemas.LandingPageRequest;
/** A request for a voucher or key, and how it stands. */
export type TokenRequest = schemas.TokenRequest;
export type Problem = schemas.Problem;
/** What programs act on in a problem. A later platform may send codes that this version does not list. */
export type ProblemCode = Problem["code"];
