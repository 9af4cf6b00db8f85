import type { components } from "./schema.d.ts";

type Schemas = components["schemas"];

/** A landing page, and how its latest requests stand. */
export type LandingPage = Schemas["LandingPage"];
/** What a customer requests. The same page, button and address within a day repeat the request, and bring no other voucher or key. */
export type LandingPageRequest = Schemas["LandingPageRequest"];
/** A request for a voucher or key, and how it stands. */
export type TokenRequest = Schemas["TokenRequest"];
export type Problem = Schemas["Problem"];
/** What programs act on in a problem. A later platform may send codes that this version does not list. */
export type ProblemCode = Problem["code"];
