import { describe, expect, it } from "vitest";
import * as z from "zod";
import { partner, terminal } from "../../../../shared/edge/auth/authenticate.ts";
import { invalidField } from "../../../../shared/domain/refusal.ts";
import { respond, refusal } from "../../../../shared/edge/http/response.ts";
import { requestBody, success } from "../../../../shared/edge/http/contract.ts";
import { defineEndpoint } from "../../../../shared/edge/http/define-endpoint.ts";

const words = { method: "POST", route: "r", summary: "S", description: "D." } as const;
const sent = requestBody(z.object({ busy: z.boolean().optional() }));
const done = { 200: success("It is done.", z.object({ done: z.literal(true) })) };

const invalid = refusal(invalidField("busy", "invalid", "must be true"));
const isBusy = refusal({ code: "terminal_busy", retryAfterSeconds: 5 });
const isOffline = refusal({ code: "terminal_offline" });

/** Responds with two problems in addition to its success. One of them follows from its body. */
const handle = async (_: unknown, { body: { busy } }: { readonly body: { readonly busy?: boolean | undefined } }) =>
  busy === undefined ? invalid : busy ? isBusy : respond(200, { done: true } as const);

const implied = [
  "invalid_credentials",
  "body_too_large",
  "rate_limited",
  "internal_error",
  "dependency_unavailable",
] as const;
const ofBody = ["invalid_json", "unsupported_media_type", "validation_failed"];

describe("an endpoint's documented problems", () => {
  it("are the implied ones, then those that it names, in its order, then the not-found ones", () => {
    const { contract } = defineEndpoint({
      auth: partner("payments"),
      name: "full",
      ...words,
      body: sent,
      successes: done,
      notFound: "payment_not_found",
      problems: ["terminal_offline", "terminal_busy"],
      handle: async (_: unknown, call) => (call.body.busy ? isBusy : isOffline),
    });
    expect(contract.problems).toEqual([
      ...implied,
      "forbidden",
      ...ofBody,
      "terminal_offline",
      "terminal_busy",
      "payment_not_found",
    ]);
  });

  it("are only the implied ones, if nothing is read and no scope is needed", () => {
    const handle = async (_: unknown) => ({ status: 204 }) as const;
    const successes = { 204: { means: "Nothing." } };
    const { contract } = defineEndpoint({ auth: terminal, name: "bare", ...words, successes, handle });
    expect(contract.problems).toEqual(implied);
  });
});

// The compiler checks the following: an expected error that does not occur is an error.
const defined = { auth: terminal, ...words, successes: done } as const;
export const examples = [
  defineEndpoint({ ...defined, name: "exact", body: sent, problems: ["terminal_busy"], handle }),

  // @ts-expect-error: it answers terminal_busy, which `problems` must name.
  defineEndpoint({ ...defined, name: "unnamed", body: sent, handle }),

  // @ts-expect-error: it answers terminal_busy too.
  defineEndpoint({ ...defined, name: "too-few", body: sent, problems: [], handle }),

  // @ts-expect-error: it never answers terminal_offline.
  defineEndpoint({ ...defined, name: "too-many", body: sent, problems: ["terminal_busy", "terminal_offline"], handle }),

  // @ts-expect-error: validation_failed follows from the body, and need not be named.
  defineEndpoint({ ...defined, name: "implied", body: sent, problems: ["terminal_busy", "validation_failed"], handle }),

  // @ts-expect-error: without a body or parameters validation_failed does not follow.
  defineEndpoint({ ...defined, name: "no-body", handle: async (_: unknown) => invalid }),

  // @ts-expect-error: a definition has no such member.
  defineEndpoint({ ...defined, name: "other", body: sent, problems: ["terminal_busy"], replay: true, handle }),
];
