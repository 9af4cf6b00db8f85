import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { onTestFinished } from "vitest";
import { functionsKeysOf } from "../../../packages/workbench/stack/secrets.ts";
import { startGateway, type GatewayOptions } from "../../../packages/local-azure/gateway/gateway.ts";

const projectPolicies = resolve(import.meta.dirname, "../../../infra/azure/apim");
export const subscription = { id: "acme", primaryKey: "primary-key", secondaryKey: "secondary-key" };
export const functionsKeys = { partners: "the-gateways-own-for-partners", terminals: "the-gateways-own-for-terminals" };

/** The headers of a partner's server, as the specification has them. */
export const partnerHeaders = {
  apikey: "pk_1_secret",
  "Ocp-Apim-Subscription-Key": subscription.primaryKey,
  "Ocp-Apim-Trace": "true",
};

export interface RunningGateway {
  readonly url: string;
  ask(path: string, init?: RequestInit): Promise<Response>;
}

/** The gateway with the project's own policies, unless the options name others. It stops when the test ends. */
export async function aGateway(
  options: Partial<GatewayOptions> & { readonly backendUrl: string },
): Promise<RunningGateway> {
  const gateway = await startGateway({
    port: 0,
    directory: projectPolicies,
    subscriptions: [subscription],
    ...options,
    namedValues: { ...functionsKeysOf(functionsKeys), ...options.namedValues },
  });
  onTestFinished(() => gateway.stop());
  const url = `http://127.0.0.1:${gateway.port}`;
  return { url, ask: (path, init) => fetch(`${url}${path}`, init) };
}

/** The project's policies with a file of `fronts/` in its place, as the templates deploy it. */
export async function policiesBehind(front: "front-door" | "application-gateway"): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "policies-"));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  await cp(projectPolicies, directory, { recursive: true });
  await cp(join(directory, `fronts/${front}.xml`), join(directory, "fragments/caller-address.xml"));
  return directory;
}

/** A JSON POST. */
export const posting = (body: unknown, headers: Record<string, string> = {}): RequestInit => ({
  method: "POST",
  headers: { "Content-Type": "application/json", ...headers },
  body: JSON.stringify(body),
});
