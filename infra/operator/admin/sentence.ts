import { Conflict, Unavailable } from "../../../shared/ports/failures.ts";

/** Errors of `@azure/identity`, by their names: the package itself is loaded only for clouds that are reached with an identity. */
const ofIdentity: ReadonlySet<string> = new Set([
  "AggregateAuthenticationError",
  "AuthenticationError",
  "AuthenticationRequiredError",
  "CredentialUnavailableError",
]);

/** What the operator is told of an error: one sentence, without a stack. */
export function sentence(error: unknown): string {
  const errors = causesOf(error);
  if (errors.some(({ name }) => ofIdentity.has(name)))
    return "Your identity gives no access to this cloud: run `az login`, or see docs/operations.md for the roles that it needs.";
  if (error instanceof Conflict) return "It was changed at the same time by another call. Try again.";
  if (error instanceof Unavailable)
    return error.dependency === "bus" ? "The Service Bus does not respond." : "The tables do not respond.";
  if (error instanceof Error && error.name === "RestError") return ofService(error);
  return error instanceof Error ? error.message : String(error);
}

/** An error of one of the SDK's own clients, which answer by HTTP. */
function ofService({ statusCode, code }: Error & { readonly statusCode?: number; readonly code?: string }): string {
  return statusCode === undefined || statusCode >= 500
    ? "The cloud does not respond."
    : `The cloud refuses it with status ${statusCode}${code === undefined ? "" : ` (${code})`}.`;
}

/** The error, what caused it, and so on; ten at most. */
function causesOf(error: unknown): readonly Error[] {
  const causes: Error[] = [];
  for (let next = error; next instanceof Error && causes.length < 10; next = next.cause) causes.push(next);
  return causes;
}
