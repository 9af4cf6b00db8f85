import { everySection, type ScopeName, type SectionName } from "./policies/policy.ts";
import { attributesOf, childrenOf } from "./policies/shape.ts";
import { PolicyFault } from "./policy-fault.ts";
import type { PolicyElement } from "./policy-xml.ts";

/** A policy file: the policies that one scope adds to each section. */
export interface PolicyDocument {
  readonly scope: ScopeName;
  readonly sections: Readonly<Record<SectionName, readonly PolicyElement[]>>;
}

/**
 * Reads a policy file. All four sections are required, although Azure would add a missing section. `<base />` marks the position of the
 * outer scope's policies.
 */
export function toPolicyDocument(root: PolicyElement, scope: ScopeName): PolicyDocument {
  if (root.name !== "policies") throw new PolicyFault(root, `<policies> was expected, not <${root.name}>.`);
  attributesOf(root, []);
  const children = childrenOf(root, everySection);
  const section = (name: SectionName): readonly PolicyElement[] => {
    const [found, second] = children.filter((child) => child.name === name);
    if (!found || second)
      throw new PolicyFault(second ?? root, `<policies> has each of ${everySection.join(", ")} once.`);
    attributesOf(found, []);
    if (found.text !== "") throw new PolicyFault(found, `<${name}> holds text, which is not understood.`);
    refuseStrayBase(found, scope);
    return found.children;
  };
  const sections = {
    inbound: section("inbound"),
    backend: section("backend"),
    outbound: section("outbound"),
    "on-error": section("on-error"),
  };
  const second = sections.backend[1];
  if (second) throw new PolicyFault(second, "<backend> holds one policy at most.");
  return { scope, sections };
}

function refuseStrayBase(section: PolicyElement, scope: ScopeName): void {
  const [first, second] = section.children.filter(({ name }) => name === "base");
  if (first && scope === "global")
    throw new PolicyFault(first, "<base /> has nothing to stand for in the global scope.");
  if (second) throw new PolicyFault(second, `<base /> stands in <${section.name}> once at most.`);
  if (first) childrenOf(first, []);
  if (first) attributesOf(first, []);
}

/** A fragment's policies. Each include checks whether they are allowed at its place. */
export function toFragment(root: PolicyElement): readonly PolicyElement[] {
  if (root.name !== "fragment") throw new PolicyFault(root, `<fragment> was expected, not <${root.name}>.`);
  attributesOf(root, []);
  const nested = root.children.find(({ name }) => name === "base" || name === "include-fragment");
  if (nested) throw new PolicyFault(nested, `a fragment may not hold <${nested.name}>.`);
  return childrenOf(
    root,
    root.children.map(({ name }) => name),
  );
}
