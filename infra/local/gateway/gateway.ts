import { once } from "node:events";
import { boundedServer, type Patience } from "../common/bounded-server.ts";
import { loopbackOnly } from "../common/loopback-only.ts";
import { readDeclaration, type Api, type Operation } from "./declaration.ts";
import { forwarder } from "./forward.ts";
import { handler, type Route } from "./handler.ts";
import { readNamedValues } from "./named-values.ts";
import type { PolicyDocument } from "./policy-document.ts";
import { readPolicyFiles, type PolicyFiles } from "./policy-files.ts";
import type { NamedValues } from "./policy-xml.ts";
import { rateCounters, type RateCounters } from "./rate-counters.ts";
import { router } from "./router.ts";
import { compilePlan } from "./sections.ts";
import { subscriptionCheck, type Subscription } from "./subscriptions.ts";

// To read a folder of policies without a gateway.
export { readDeclaration, readNamedValues, readPolicyFiles };

export interface GatewayOptions {
  /** 0 for any free port. */
  readonly port: number;
  /** The folder of `apis.json`, the imported documents and the policy files. */
  readonly directory: string;
  /** Secrets, and values that replace those of `named-values.local.json`. */
  readonly namedValues: NamedValues;
  /** The subscriptions of the APIs that require one. */
  readonly subscriptions: readonly Subscription[];
  /** The functions' host: the named value `functions-url`. */
  readonly backendUrl: string;
  /** Milliseconds, for the rate limits. */
  readonly now?: () => number;
  /** How slow a caller may be. */
  readonly patience?: Patience;
}

export interface Gateway {
  readonly port: number;
  /** Takes no more requests, gives running ones two seconds to finish, then cuts them off, so that a stop does not wait for a long poll. */
  stop(): Promise<void>;
}

const PATIENCE_MS = 2_000;

/**
 * Starts the substitute for API Management on loopback. All policies are compiled first. Throws `PolicyFault`, with file and line, for a
 * policy that it does not support, and the error of `listen` for a port that is taken.
 */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const { directory, backendUrl, now = () => performance.now() } = options;
  const declaration = await readDeclaration(directory);
  const namedValues = {
    ...(await readNamedValues(directory)),
    ...options.namedValues,
    "functions-url": backendUrl,
  };
  const files = await readPolicyFiles(directory, declaration, namedValues);
  const counters = rateCounters(now);
  const parts = { fragments: files.fragments, counters };
  const backend = forwarder();
  const server = boundedServer(
    loopbackOnly(
      handler({
        route: router(declaration.apis, (api, operation) => routeOf(api, operation, files, counters)),
        unknown: compilePlan([files.global], parts),
        checkSubscription: subscriptionCheck(options.subscriptions),
        backend,
        isStopping: (): boolean => !server.listening,
      }),
    ),
    options.patience,
  );
  server.listen(options.port, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return {
    port: typeof address === "object" && address ? address.port : options.port,
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

function routeOf(api: Api, operation: Operation, files: PolicyFiles, counters: RateCounters): Route {
  const product = api.product === undefined ? undefined : files.products.get(api.product);
  const scopes = [files.global, product, files.apis.get(api.id), files.operations.get(operation.id)];
  const plan = compilePlan(
    scopes.filter((scope): scope is PolicyDocument => scope !== undefined),
    { fragments: files.fragments, counters },
  );
  return { api, operation, plan };
}
