import { Conflict, Unavailable } from "../../../shared/ports/failures.ts";
import { Refused } from "../world/dependency-call.ts";
import { createInvocation } from "../world/invocation.ts";
import { SECOND } from "../world/time.ts";
import type { World } from "../world/world.ts";
import type { Deps, Platform } from "./platform.ts";

/** The result that a caller over the network sees. `unavailable` is a 503. `silence` leaves every outcome possible. */
export type HttpAnswer<T> =
  | { readonly kind: "answered"; readonly value: T }
  | { readonly kind: "unavailable" }
  | { readonly kind: "silence" };

interface CallOptions {
  readonly name: string;
  /** A long poll, which has no response timeout. */
  readonly waits?: boolean;
}

export type Http = <T>(options: CallOptions, handle: (deps: Deps) => Promise<T>) => Promise<HttpAnswer<T>>;

/** The `responseTimeoutMs` of the composition root. After it the response is 503, even if the work continues. */
const RESPONSE_TIMEOUT = 3 * SECOND;

/**
 * Functions behind HTTP, each call in its own process. The work continues independently of its caller: requests and responses are lost, the
 * response timeout passes, the process dies.
 */
export function createHttp(world: World, platform: Platform): Http {
  const { agenda, random, faultPlan, lostTime } = world;
  return <T>({ name, waits = false }: CallOptions, handle: (deps: Deps) => Promise<T>) => {
    const { promise, resolve } = Promise.withResolvers<HttpAnswer<T>>();
    const clientPatience = waits ? 65 * SECOND : random.pick(4, 10) * SECOND;
    const answerLost = faultPlan.fault(0.02, "response is lost");
    const { restoredAt } = lostTime;
    const reply = (answer: HttpAnswer<T>) => {
      // If a response is on its way when the platform is stopped, it does not arrive.
      if (!answerLost)
        agenda.after(random.between(5, 40), () =>
          resolve(restoredAt === lostTime.restoredAt ? answer : { kind: "unavailable" }),
        );
    };
    agenda.after(clientPatience, () => resolve({ kind: "silence" }));
    if (faultPlan.fault(0.01, "request is lost")) return promise;

    agenda.after(random.between(5, 40), () => {
      const invocation = createInvocation(world, name, () => reply({ kind: "unavailable" }));
      if (!waits) agenda.after(RESPONSE_TIMEOUT, () => reply({ kind: "unavailable" }));
      handle(platform.depsOf(invocation)).then(
        (value) => reply({ kind: "answered", value }),
        (error: unknown) => {
          if (!isExpected(error)) world.violate("a function threw", `${name}: ${String((error as Error).stack)}`);
          reply({ kind: "unavailable" });
        },
      );
    });
    return promise;
  };
}

/** A refusal as invalid input becomes a 500, which tells a caller no more than a 503. */
const isExpected = (error: unknown) =>
  error instanceof Unavailable || error instanceof Conflict || error instanceof Refused;
