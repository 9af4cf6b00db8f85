import { expect } from "vitest";
import { toProblemObject, type Problem, type ProblemCode } from "../../../shared/contracts/objects/problem.ts";

/** The refusal has exactly the shape in which a function would send it. */
export async function expectProblem(
  response: Response,
  problem: ProblemCode | Problem,
  asked = "/pos-payment-request",
): Promise<void> {
  const requestId = response.headers.get("x-request-id") ?? "";
  const expected = toProblemObject(typeof problem === "string" ? { code: problem } : problem, {
    instance: asked,
    requestID: requestId,
  });
  expect(await response.json()).toEqual(JSON.parse(JSON.stringify(expected)));
  expect(response.status).toBe(expected.status);
  expect(response.headers.get("content-type")).toBe("application/json");
  expect(response.headers.get("cache-control")).toBe("no-store");
  expectForBrowsers(response);
  expect(requestId).toMatch(/^[0-9a-f-]{36}$/);
}

/** Each response tells browsers to use only https, and not to guess another type for a body. */
export function expectForBrowsers({ headers }: Response): void {
  expect(headers.get("strict-transport-security")).toBe("max-age=31536000");
  expect(headers.get("x-content-type-options")).toBe("nosniff");
}
