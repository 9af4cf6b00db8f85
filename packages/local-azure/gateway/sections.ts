import { evaluationFailure } from "./call.ts";
import { EvaluationError } from "./expressions/compiled.ts";
import { policies } from "./policies/policies.ts";
import { cors, readCorsRules, type CorsRules } from "./policies/cors.ts";
import { compileForwardRequest, type ForwardRequest } from "./policies/forward-request.ts";
import type { ScopeName, SectionName, Step } from "./policies/policy.ts";
import { attributesOf, refuseContent } from "./policies/shape.ts";
import type { PolicyDocument } from "./policy-document.ts";
import { PolicyFault } from "./policy-fault.ts";
import type { PolicyElement } from "./policy-xml.ts";
import type { RateCounters } from "./rate-counters.ts";

/** The compiled policies for the requests of one operation. */
export interface Plan {
  readonly inbound: Step;
  /** Undefined if no scope forwards. */
  readonly forward: ForwardRequest | undefined;
  readonly outbound: Step;
  readonly onError: Step;
  readonly cors: readonly CorsRules[];
}

export interface PlanParts {
  readonly fragments: ReadonlyMap<string, readonly PolicyElement[]>;
  readonly counters: RateCounters;
  /** Filled by the policies of one start. */
  readonly limitsByKey: Map<string, string>;
  readonly anyLoopbackOrigin: boolean;
  readonly countsDeclaredLengthOnly: boolean;
  /** The names in the operation's URL template. */
  readonly parameters: readonly string[];
}

interface ScopedElement {
  readonly element: PolicyElement;
  readonly scope: ScopeName;
}

interface Where {
  readonly section: SectionName;
  readonly scope: ScopeName;
  /** Whether it is a direct child of the section. */
  readonly direct: boolean;
}

/** Compiles the sections of nested scopes, outermost first. Throws `PolicyFault`. */
export function compilePlan(scopes: readonly PolicyDocument[], parts: PlanParts): Plan {
  const steps = (section: SectionName): Step =>
    sequence(
      effective(section, scopes).map(({ element, scope }) => compile(element, { section, scope, direct: true }, parts)),
    );
  for (const { sections } of scopes) for (const elements of Object.values(sections)) refuseRepeated(elements);
  const corsElements = effective("inbound", scopes).filter(({ element }) => policies.get(element.name) === cors);
  return {
    inbound: steps("inbound"),
    forward: compileBackend(effective("backend", scopes)),
    outbound: steps("outbound"),
    onError: steps("on-error"),
    cors: corsElements.map(({ element }) => readCorsRules(element, parts)),
  };
}

function refuseRepeated(elements: readonly PolicyElement[]): void {
  for (const [index, { name }] of elements.entries()) {
    const second = elements.slice(index + 1).find((other) => other.name === name);
    if (second && policies.get(name)?.direct) throw new PolicyFault(second, `<${name}> stands in a section once.`);
  }
}

/**
 * The innermost scope's policies, with the next outer scope's instead of `<base />`. Without `<base />` the outer policies do not apply.
 */
function effective(section: SectionName, scopes: readonly PolicyDocument[]): readonly ScopedElement[] {
  const innermost = scopes.at(-1);
  if (!innermost) return [];
  return innermost.sections[section].flatMap((element) =>
    element.name === "base" ? effective(section, scopes.slice(0, -1)) : [{ element, scope: innermost.scope }],
  );
}

function compileBackend([policy]: readonly ScopedElement[]): ForwardRequest | undefined {
  if (!policy) return undefined;
  const { element } = policy;
  if (element.name === "forward-request") return compileForwardRequest(element);
  throw new PolicyFault(element, `<${element.name}> in <backend> is not understood.`);
}

function compile(element: PolicyElement, where: Where, parts: PlanParts): Step {
  const inside = { ...where, direct: false };
  const compileAll = (elements: readonly PolicyElement[]) => sequence(elements.map((e) => compile(e, inside, parts)));
  if (element.name === "include-fragment") return compileAll(fragmentOf(element, parts));
  const { section, scope } = where;
  const policy = policies.get(element.name);
  if (!policy) throw new PolicyFault(element, `<${element.name}> is not understood.`);
  if (!policy.sections.includes(section)) {
    throw new PolicyFault(element, `<${element.name}> may not stand in <${section}>.`);
  }
  if (!policy.scopes.includes(scope)) {
    throw new PolicyFault(element, `<${element.name}> may not stand in the ${scope} scope.`);
  }
  if (policy.direct && !where.direct) {
    throw new PolicyFault(element, `<${element.name}> stands in its section itself, not in a policy or fragment.`);
  }
  const message = section === "inbound" ? "request" : "answer";
  const { fragments: _, ...tools } = parts;
  const surroundings = { ...tools, section, scope, message, compile: compileAll } as const;
  return named(element, policy.compile(element, surroundings));
}

/** The failure of an expression names the policy that contains it. The caller does not learn the reason, which is in the gateway's log. */
const named =
  (element: PolicyElement, step: Step): Step =>
  async (call) => {
    try {
      return await step(call);
    } catch (error) {
      if (!(error instanceof EvaluationError)) throw error;
      console.error(`${element.file}:${element.line}: an expression failed: ${error.message}`);
      throw evaluationFailure(element.name, call.requestId);
    }
  };

function fragmentOf(element: PolicyElement, { fragments }: PlanParts): readonly PolicyElement[] {
  const { "fragment-id": id } = attributesOf(element, ["fragment-id"]);
  refuseContent(element);
  const fragment = fragments.get(id);
  if (!fragment) throw new PolicyFault(element, `there is no fragment ${id}.`);
  return fragment;
}

const sequence =
  (steps: readonly Step[]): Step =>
  async (call) => {
    for (const step of steps) if ((await step(call)) === "answered") return "answered";
    return "next";
  };
