import type { FieldProblem } from "../../domain/refusal.ts";

/** The field of an error about a parameter that is not in the contract. The caller's own name is never repeated. */
const QUERY = "(query)";

/**
 * The problems of the names in a query: a name that the operation does not know, an empty value, and a name that occurs twice. A filter
 * that is ignored would show a caller other objects than it asked for. (API behaviour 2)
 *
 * @param known the names of the operation's parameters
 */
export function queryProblems(query: URLSearchParams, known: readonly string[]): FieldProblem[] {
  const names = [...new Set(query.keys())];
  return names.flatMap((name): FieldProblem[] => {
    if (!known.includes(name)) return [unknown(name, known)];
    const [first, ...others] = query.getAll(name);
    if (others.length > 0) return [{ field: name, code: "repeated", message: "must occur only once" }];
    return first === ""
      ? [{ field: name, code: "required", message: "is empty: give it a value, or leave it out" }]
      : [];
  });
}

function unknown(name: string, known: readonly string[]): FieldProblem {
  const code = "unknown_parameter";
  const near = known.find((one) => lettersOf(one) === lettersOf(name));
  if (near !== undefined) return { field: near, code, message: `must be written ${near}` };
  if (known.length === 0) return { field: QUERY, code, message: "must be empty: the operation reads nothing from it" };
  return { field: QUERY, code, message: `may only have the parameters ${known.join(", ")}` };
}

/** A name without case, separators, brackets and the plural. */
const lettersOf = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, "")
    .replace(/s$/, "");
