import { emptyAnswer, headerText, type Answer, type Call } from "../call.ts";
import { PolicyFault } from "../policy-fault.ts";
import type { PolicyElement } from "../policy-xml.ts";
import { everyScope, type Policy, type Surroundings } from "./policy.ts";
import { attributesOf, childrenOf, integerOf, literalOf, oneOf, textsOf } from "./shape.ts";

/** The pages of other origins that may call. */
export interface CorsRules {
  readonly origins: readonly string[];
  readonly methods: readonly string[];
  readonly headers: readonly string[];
  readonly exposed: readonly string[];
  readonly maxAgeSeconds: number;
  readonly endsUnmatched: boolean;
  /** Whether every origin on loopback is allowed. Only this gateway has this, for developers. */
  readonly anyLoopback: boolean;
}

/**
 * Lets pages of the allowed origins read the response in a browser. A preflight request (OPTIONS) gets its response before any policy runs.
 */
export const cors: Policy = {
  sections: ["inbound"],
  scopes: everyScope,
  direct: true,
  compile(element, surroundings) {
    const rules = readCorsRules(element, surroundings);
    return (call) => {
      const origin = headerText(call.request.headers, "origin");
      if (origin === undefined) return "next";
      if (allows(rules, origin)) {
        addOrigin(call.cors, origin);
        call.cors.set("access-control-expose-headers", rules.exposed.join(","));
        return "next";
      }
      if (!rules.endsUnmatched || !["GET", "HEAD"].includes(call.request.method)) return "next";
      call.answer = emptyAnswer(200, "OK");
      return "answered";
    };
  },
};

/** Responds to a browser's preflight request by the first rules that allow its origin. If there are none, an empty 200 allows nothing. */
export function preflightAnswer(all: readonly CorsRules[], call: Call): Answer {
  const answer = emptyAnswer(200, "OK");
  const origin = headerText(call.request.headers, "origin") ?? "";
  const method = headerText(call.request.headers, "access-control-request-method") ?? "";
  const ending = all.findIndex((rules) => rules.endsUnmatched && !allows(rules, origin));
  const candidates = ending === -1 ? all : all.slice(0, ending);
  const rules = candidates.find((one) => allows(one, origin));
  if (!rules?.methods.includes(method)) return answer;
  addOrigin(answer.headers, origin);
  answer.headers.set("access-control-allow-methods", rules.methods.join(","));
  answer.headers.set("access-control-allow-headers", rules.headers.join(","));
  answer.headers.set("access-control-max-age", String(rules.maxAgeSeconds));
  return answer;
}

/** Reads the element. Also used for preflight requests, for which only `cors` counts. */
export function readCorsRules(
  element: PolicyElement,
  { anyLoopbackOrigin }: Pick<Surroundings, "anyLoopbackOrigin">,
): CorsRules {
  const attributes = attributesOf(element, ["terminate-unmatched-request"]);
  const origins = part(element, "allowed-origins", "origin").elements.map(readOrigin);
  const methods = part(element, "allowed-methods", "method", ["preflight-result-max-age"]);
  const headers = part(element, "allowed-headers", "header");
  const exposed = part(element, "expose-headers", "header");
  const maxAge = methods.element.attributes.get("preflight-result-max-age") ?? "0";
  return {
    origins,
    methods: methods.elements.map(nameOf),
    headers: headers.elements.map(nameOf),
    exposed: exposed.elements.map(nameOf),
    maxAgeSeconds: integerOf(maxAge, methods.element, 0, 86_400),
    endsUnmatched: oneOf(attributes["terminate-unmatched-request"], element, ["true", "false"]) === "true",
    anyLoopback: anyLoopbackOrigin && origins.some(isLoopback),
  };
}

/** One of the lists. Each list must occur once and have content, so that no default applies. */
function part(cors: PolicyElement, list: string, item: string, optional: readonly string[] = []) {
  const [element, ...more] = childrenOf(cors, lists).filter(({ name }) => name === list);
  if (!element || more.length > 0 || element.children.length === 0) {
    throw new PolicyFault(cors, `<cors> needs one <${list}> with <${item}>.`);
  }
  attributesOf(element, [], optional);
  return { element, elements: textsOf(element, item) };
}

/** The name of a method or header. The wildcard is rejected, because API Management's response to it is not documented. */
function nameOf(element: PolicyElement): string {
  const name = literalOf(element);
  if (/^[\w-]+$/.test(name)) return name;
  throw new PolicyFault(element, `<${element.name}> of ${JSON.stringify(name)} is not understood.`);
}

/** An origin as browsers send it, without a default port. The wildcard is returned unchanged. */
function readOrigin(element: PolicyElement): string {
  const origin = literalOf(element);
  if (origin === ANY) return origin;
  const url = URL.parse(origin);
  if (url && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`) return url.origin;
  throw new PolicyFault(element, `<origin> of ${JSON.stringify(origin)} is not understood.`);
}

const ANY = "*";
const lists = ["allowed-origins", "allowed-methods", "allowed-headers", "expose-headers"];

const allows = ({ origins, anyLoopback }: CorsRules, origin: string) =>
  origins.includes(ANY) || origins.includes(URL.parse(origin)?.origin ?? "") || (anyLoopback && isLoopback(origin));

/** Whether the origin is on this machine, on any port. The whole name is compared, because other names may begin with it. */
const isLoopback = (origin: string): boolean =>
  ["localhost", "127.0.0.1", "[::1]"].includes(URL.parse(origin)?.hostname ?? "");

function addOrigin(headers: Map<string, string | string[]>, origin: string): void {
  headers.set("access-control-allow-origin", origin);
  headers.set("vary", "Origin");
}
