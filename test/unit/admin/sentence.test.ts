import { expect, it } from "vitest";
import { sentence } from "../../../infra/operator/admin/sentence.ts";
import { Conflict, Unavailable } from "../../../shared/ports/failures.ts";

const named = (name: string, more: object = {}) => Object.assign(new Error("long\nand technical"), { name }, more);

it.each([
  [new Conflict("412"), "Another call changed it at the same time. Try again."],
  [new Unavailable("ECONNREFUSED"), "The tables do not respond."],
  [new Unavailable("ECONNREFUSED", { dependency: "bus" }), "The Service Bus does not respond."],
  [new Unavailable("no token", { cause: named("CredentialUnavailableError") }), /^Your identity gives no access/],
  [named("AggregateAuthenticationError"), /^Your identity gives no access/],
  [named("RestError", { code: "ENOTFOUND" }), "The cloud does not respond."],
  [
    named("RestError", { statusCode: 403, code: "AuthorizationFailure" }),
    "The cloud rejected the request with status 403 (AuthorizationFailure).",
  ],
  [new Error("There is no such key."), "There is no such key."],
])("an error is reported in one sentence: %s", (error, told) => {
  expect(sentence(error)).toMatch(told);
  expect(sentence(error)).not.toContain("\n");
});
