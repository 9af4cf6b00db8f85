import type { Document, Operation, SecurityScheme } from "./document.ts";

/** Which ways to be let in no longer do, in sentences: one that was enough still is, where it holds all of one that is enough now. */
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

/** What each way asks for. An operation that asks for nothing has one way in, with nothing. */
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

/** What is sent counts, not what the document calls it. */
function proofOf(component: string, scheme: SecurityScheme | undefined): string {
  if (!scheme) throw new Error(`the security scheme ${component} is nowhere`);
  const { type, in: where, name = "" } = scheme;
  if (where === undefined) return (scheme.scheme ?? type).toLowerCase();
  return `${where} "${where === "header" ? name.toLowerCase() : name}"`;
}
