import { onTestFinished } from "vitest";
import { startGateway, type Gateway, type GatewayOptions } from "../../gateway.ts";
import { policyFolder } from "./policy-folder.ts";

export const subscription = { id: "acme", primaryKey: "primary-key", secondaryKey: "secondary-key" };

/** The headers of a caller of the folder's only API. */
export const headers = { "Ocp-Apim-Subscription-Key": subscription.primaryKey };

export interface RunningGateway {
  readonly url: string;
  ask(path: string, init?: RequestInit): Promise<Response>;
  readonly setNamedValues: Gateway["setNamedValues"];
  stop(): Promise<void>;
}

/** Starts the gateway with empty policies, unless the test gives others. It stops with the test. */
export async function aGateway(
  options: Partial<GatewayOptions> & { readonly backendUrl: string },
): Promise<RunningGateway> {
  const directory = options.directory ?? (await policyFolder());
  const gateway = await startGateway({
    port: 0,
    namedValues: {},
    subscriptions: [subscription],
    ...options,
    directory,
  });
  onTestFinished(() => gateway.stop());
  const url = `http://127.0.0.1:${gateway.port}`;
  return {
    url,
    ask: (path, init) => fetch(`${url}${path}`, init),
    setNamedValues: gateway.setNamedValues,
    stop: gateway.stop,
  };
}
