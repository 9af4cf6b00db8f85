import { Conflict, Unavailable } from "../../../shared/ports/failures.ts";

/** The names of errors of `@azure/identity`. The package itself is loaded only if a cloud needs an identity. */
const ofIdentity: ReadonlySet<string> = new Set([
  "AggregateAuthenticationError",
  "AuthenticationError",
  "AuthenticationRequiredError",
  "CredentialUnavailableError",
]);

/** The message of an error for the operator: one sentence, without a stack. */
export function sentence(error: unknown): string {
  const errors = causesOf(error);
  if (errors.some(({ name }) => ofIdentity.has(name)))
    return "Your identity gives no access to this cloud: run `az login`, or see docs/operations.md for the roles that it needs.";
  if (error instanceof Conflict) return "Another call changed it at the same time. Try again.";
  if (error instanceof Unavailable)
    return error.dependency === "bus" ? "The Service Bus does not respond." : "The tables do not respond.";
  if (error instanceof Error && error.name === "RestError") return ofService(error);
  return error instanceof Error ? error.message : String(error);
}

/** The sentence for an error of the SDK's HTTP clients. */
function ofService({ statusCode, code }: Error & { readonly statusCode?: number; readonly code?: string }): string {
  return statusCode === undefined || statusCode >= 500
    ? "The cloud does not respond."
    : `The cloud rejected the request with status ${statusCode}${code === undefined ? "" : ` (${code})`}.`;
}

/** The error and its chain of causes, ten at most. */
function causesOf(error: unknown): readonly Error[] {
  const causes: Error[] = [];
  for (let next = error; next instanceof Error && causes.length < 10; next = next.cause) causes.push(next);
  return causes;
}
