import { once } from "node:events";
import type { RequestListener } from "node:http";
import { boundedServer, type Patience } from "../common/bounded-server.ts";
import { loopbackOnly, type Opening } from "../common/loopback-only.ts";
import { listenHere } from "../common/loopback-server.ts";
import type { Publisher } from "../common/publish.ts";
import { readDeclaration, type Api, type Operation } from "./declaration.ts";
import { forwarder } from "./forward.ts";
import { handler, type Route } from "./handler.ts";
import { readNamedValues } from "./named-values.ts";
import type { PassedCall } from "./passed-call.ts";
import type { PolicyDocument } from "./policy-document.ts";
import { readPolicyFiles, type PolicyFiles } from "./policy-files.ts";
import { readPolicyXml, type NamedValues, type PolicyElement } from "./policy-xml.ts";
import { rateCounters } from "./rate-counters.ts";
import { parametersOf, router } from "./router.ts";
import { compilePlan, type PlanParts } from "./sections.ts";
import { subscriptionCheck, type Subscription } from "./subscriptions.ts";

export type { PassedCall };
// For reading a folder of policies without a gateway.
export { readDeclaration, readNamedValues, readPolicyFiles, readPolicyXml, type PolicyElement };

export interface GatewayOptions {
  /** 0 chooses a free port. */
  readonly port: number;
  /** The address and name at which it is reached, in addition to loopback. */
  readonly open?: Opening | undefined;
  /** The folder of `apis.json`, the imported documents and the policy files. */
  readonly directory: string;
  /** Secrets, and values that replace those of `named-values.local.json`. */
  readonly namedValues: NamedValues;
  /** The subscriptions of the APIs that require one. */
  readonly subscriptions: readonly Subscription[];
  /** The functions' host: the named value `functions-url`. */
  readonly backendUrl: string;
  /**
   * If a `cors` policy lists an origin on loopback, every origin on loopback may call, because a development server can have any port. API
   * Management does not have this: it compares whole origins. Default: false.
   */
  readonly anyLoopbackOrigin?: boolean;
  /**
   * Whether `max-size` counts only a declared length, as Microsoft's reference says. A user of API Management has measured that it also
   * counts a body in chunks. Default: false.
   */
  readonly countsDeclaredLengthOnly?: boolean;
  /** The clock of the rate limits, in milliseconds. */
  readonly now?: () => number;
  /** How slow a caller may be. */
  readonly patience?: Patience;
  /** Wraps the gateway in a handler that gets each request first. API Management does not have this. */
  readonly front?: ((gateway: RequestListener) => RequestListener) | undefined;
  /** Receives each call when it is over, with any result. */
  readonly passed?: Publisher<PassedCall> | undefined;
}

export interface Gateway {
  readonly port: number;
  /**
   * Replaces the named values of the options, as a change in API Management does. Nothing is restarted. New requests use the new values,
   * and running requests keep the old ones. If it throws `PolicyFault`, it has changed nothing.
   */
  setNamedValues(namedValues: NamedValues): Promise<void>;
  /** Accepts no more requests. Running ones have two seconds and are then cut off, so that a stop does not wait for a long poll. */
  stop(): Promise<void>;
}

const PATIENCE_MS = 2_000;

/**
 * Starts the substitute for API Management on loopback. All policies are compiled first. Throws `PolicyFault`, with file and line, for a
 * policy that it does not support. Throws the error of `listen` if the port is taken.
 */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const { directory, backendUrl, now = () => performance.now(), front = (gateway) => gateway } = options;
  const declaration = await readDeclaration(directory);
  const counters = rateCounters(now);
  const backend = forwarder();
  const compiled = async (given: NamedValues): Promise<RequestListener> => {
    const namedValues = { ...(await readNamedValues(directory)), ...given, "functions-url": backendUrl };
    const files = await readPolicyFiles(directory, declaration, namedValues);
    const { anyLoopbackOrigin = false, countsDeclaredLengthOnly = false } = options;
    const shared = { counters, limitsByKey: new Map<string, string>(), anyLoopbackOrigin, countsDeclaredLengthOnly };
    return handler({
      route: router(declaration.apis, (api, operation) => routeOf(api, operation, files, shared)),
      unknown: compilePlan([files.global], { fragments: files.fragments, ...shared, parameters: [] }),
      checkSubscription: subscriptionCheck(options.subscriptions),
      backend,
      isStopping: (): boolean => !server.listening,
      passed: options.passed,
    });
  };
  let listener = await compiled(options.namedValues);
  const server = boundedServer(
    loopbackOnly(
      front((request, response) => listener(request, response)),
      options.open,
    ),
    options.patience,
  );
  const port = await listenHere(server, options.port, options.open?.host);
  return {
    port,
    async setNamedValues(namedValues) {
      listener = await compiled(namedValues);
    },
    async stop() {
      if (!server.listening) return;
      const closed = once(server, "close");
      server.close();
      const cutOff = setTimeout(() => server.closeAllConnections(), PATIENCE_MS);
      await closed;
      clearTimeout(cutOff);
      await backend.close();
    },
  };
}

function routeOf(
  api: Api,
  operation: Operation,
  files: PolicyFiles,
  shared: Omit<PlanParts, "fragments" | "parameters">,
): Route {
  const product = api.product === undefined ? undefined : files.products.get(api.product);
  const scopes = [files.global, product, files.apis.get(api.id), files.operations.get(operation.id)];
  const plan = compilePlan(
    scopes.filter((scope): scope is PolicyDocument => scope !== undefined),
    { fragments: files.fragments, ...shared, parameters: parametersOf(operation.urlTemplate) },
  );
  return { api, operation, plan };
}
