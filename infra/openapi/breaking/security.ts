import type { Document, Operation, SecurityScheme } from "./document.ts";

/**
 * The authentication that is no longer accepted, in sentences. Earlier credentials are still enough where they contain all credentials of
 * one current alternative.
 */
export function securityBreaks(
  before: Operation,
  after: Operation,
  { released, current }: { readonly released: Document; readonly current: Document },
): string[] {
  const enough = waysIn(after, current);
  return waysIn(before, released).flatMap((way) => {
    const missing = enough.map((needed) => needed.filter((proof) => !way.includes(proof)));
    const [least = []] = missing.toSorted((one, other) => one.length - other.length);
    const who = way.length > 0 ? `${before.operationId} with ${way.join(" and ")}` : before.operationId;
    return least.length === 0 ? [] : [`${who} now needs ${least.join(" and ")}`];
  });
}

/** The credentials of each alternative. An operation that needs none has one alternative, with none. */
function waysIn({ security }: Operation, document: Document): string[][] {
  const ways = security ?? document.security ?? [];
  if (ways.length === 0) return [[]];
  return ways.map((schemes) =>
    Object.entries(schemes).flatMap(([name, scopes]) => {
      const proof = proofOf(name, document.components?.securitySchemes?.[name]);
      return [proof, ...scopes.map((scope) => `${scope} of ${proof}`)];
    }),
  );
}

/** The credential that is sent counts, not its name in the document. */
function proofOf(component: string, scheme: SecurityScheme | undefined): string {
  if (!scheme) throw new Error(`the security scheme ${component} is nowhere`);
  const { type, in: where, name = "" } = scheme;
  if (where === undefined) return (scheme.scheme ?? type).toLowerCase();
  return `${where} "${where === "header" ? name.toLowerCase() : name}"`;
}
