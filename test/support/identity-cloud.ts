import { spawn } from "node:child_process";
import { randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { fileURLToPath } from "node:url";
import { builtApp } from "../../infra/tools/built-app.ts";
import { startTables } from "../../packages/workbench/stack/azurite.ts";
import { freePort } from "../../packages/local-azure/common/free-ports.ts";
import { mailSettings, newConsumer } from "../../packages/workbench/stack/consumer.ts";
import { policies, startFunctionsHost, startGateway } from "../../packages/workbench/stack/processes.ts";
import {
  functionsKeysOf,
  hostKeys,
  newSecrets,
  peppersOf,
  webhookSecretKeysOf,
} from "../../packages/workbench/stack/secrets.ts";
import { seedPartner } from "../../infra/operator/common/seed.ts";
import { readQueues, startBroker } from "../../packages/local-azure/service-bus/broker.ts";
import { loopback } from "../../packages/workbench/stack/stack-file.ts";
import { startAutopilot } from "../../packages/terminal/simulated/autopilot.ts";
import { terminalClient } from "../../packages/terminal/simulated/terminal-client.ts";
import { MAX_BODY_BYTES } from "../../shared/edge/http/read-body.ts";
import { createTables } from "../../infra/operator/common/create-tables.ts";
import { startIdentityEndpoint, tokenFor, type Lifetime } from "./identity-endpoint.ts";
import { partnerOn } from "./partner.ts";
import { selfSigned } from "./self-signed.ts";

const inRepository = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

const ACCOUNT = "payments";

/**
 * A cloud like Azure. Tables and Service Bus use TLS, and accept tokens of an identity. The app runs from a copy of its deployed folder,
 * outside the repository. It gets no key of either. In `lifetimeOf` a resource is the audience of a token.
 */
export async function startIdentityCloud(lifetimeOf: (resource: string) => Lifetime) {
  const ends = new AsyncDisposableStack();
  const folder = ends.adopt(await mkdtemp(join(tmpdir(), "identity-")), (made) => rm(made, { recursive: true }));
  try {
    return { ...(await started(ends, folder, lifetimeOf)), [Symbol.asyncDispose]: () => ends[Symbol.asyncDispose]() };
  } catch (error) {
    await ends[Symbol.asyncDispose]();
    throw error;
  }
}

async function started(ends: AsyncDisposableStack, folder: string, lifetimeOf: (resource: string) => Lifetime) {
  const file = (name: string) => join(folder, name);
  const tls = selfSigned();
  const [certFile, keyFile, app] = [file("cert.pem"), file("key.pem"), file("app")];
  await writeFile(certFile, tls.cert);
  await writeFile(keyFile, tls.key, { mode: 0o600 });
  await mkdir(app);
  await cp(builtApp, app, { recursive: true });
  const trusted = getCACertificates("default");
  setDefaultCACertificates([...trusted, tls.cert]);
  ends.defer(() => setDefaultCACertificates(trusted));

  const clientId = randomUUID();
  const identity = ends.use(await startIdentityEndpoint(clientId, lifetimeOf));
  const [tablesPort, functionsPort, gatewayPort] = [await freePort(), await freePort(), await freePort()];
  const account = { certFile, keyFile, account: ACCOUNT, key: randomBytes(64).toString("base64") };
  ends.adopt(await startTables(tablesPort, file("tables.log"), { secured: account }), (tables) => tables.stop());
  const tablesEndpoint = `https://127.0.0.1:${tablesPort}/${ACCOUNT}`;
  const declared = ["queues.json", "overrides.json"].map((name) => inRepository(`infra/azure/service-bus/${name}`));
  const queues = await readQueues(declared[0] ?? "", declared[1]);
  const broker = ends.adopt(await startBroker({ port: 0, queues, tls, tokens: "entra" }), (bus) => bus.close());

  const [secrets, consumer] = [newSecrets(), newConsumer()];
  const tables = { endpoint: tablesEndpoint, credential: { getToken: async () => forTables() } };
  await createTables(tables);
  const seeded = await seedPartner({
    tables,
    peppers: peppersOf(secrets),
    webhookSecretKeys: webhookSecretKeysOf(secrets),
  });

  const asIdentity = { clientId, credential: "managedidentity" };
  const connections = {
    ...settingsOf("TABLES_CONNECTION", { endpoint: tablesEndpoint, ...asIdentity }),
    ...settingsOf("SERVICE_BUS_CONNECTION", { fullyQualifiedNamespace: `localhost:${broker.port}`, ...asIdentity }),
  };
  const settings = {
    ...connections,
    ...consumer.settings,
    ...mailSettings(1), // no test issues a voucher
    ...identity.env,
    KEY_PEPPERS: JSON.stringify(peppersOf(secrets)),
    WEBHOOK_SECRET_KEYS: JSON.stringify(webhookSecretKeysOf(secrets)),
    WEBHOOKS_ALLOW_LOOPBACK: "true",
    FUNCTIONS_REQUEST_BODY_SIZE_LIMIT: String(MAX_BODY_BYTES),
    NODE_EXTRA_CA_CERTS: certFile,
  };
  const keysFile = file("keys.json");
  await writeFile(keysFile, JSON.stringify(hostKeys(secrets, consumer.demo.functionKeys)), { mode: 0o600 });
  const hosting = { port: functionsPort, logFile: file("functions.log"), keysFile, app, settings };
  ends.adopt(await startFunctionsHost(hosting), (host) => host.stop());

  const configFile = file("gateway.json");
  const { subscriptionKey: primaryKey, secondarySubscriptionKey: secondaryKey } = secrets;
  const subscriptions = [{ id: "demo", primaryKey, secondaryKey }];
  const namedValues = functionsKeysOf(secrets.functionsKeys);
  await writeFile(
    configFile,
    JSON.stringify({ directory: policies, namedValues, subscriptions, backendUrl: loopback(functionsPort) }),
  );
  const gateway = { port: gatewayPort, logFile: file("gateway.log"), configFile };
  ends.adopt(await startGateway(gateway), (started) => started.stop());
  const gatewayUrl = loopback(gatewayPort);
  const terminalsUrl = `${gatewayUrl}/terminals`;
  const { terminalKey } = seeded.terminals.autopilot;
  ends.adopt(startAutopilot(terminalClient({ terminalsUrl, terminalKey }), { paceMs: 20 }), (pilot) => pilot.stop());
  return {
    app,
    identity,
    clientId,
    tablesEndpoint,
    broker,
    seeded,
    partner: partnerOn({ baseUrl: gatewayUrl, terminalsUrl, demo: { subscriptionKey: primaryKey } }, seeded),
    /** Runs an operator's command under the identity. Returns its output, its error output and its exit code. */
    async admin(...args: string[]) {
      const main = inRepository("infra/operator/admin/admin.ts");
      const env = { ...process.env, ...connections, ...identity.env, NODE_EXTRA_CA_CERTS: certFile };
      const child = spawn(process.execPath, [main, ...args], { env, stdio: ["ignore", "pipe", "pipe"] });
      const [out, complaint] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
      return { code: child.exitCode, out, complaint };
    },
  };
}

const settingsOf = (name: string, parts: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(parts).map(([part, value]) => [`${name}__${part}`, value]));

/** The token with which the test itself writes rows, as an operator's identity would. */
function forTables() {
  const expiresOnTimestamp = Date.now() + 3_600_000;
  return { token: tokenFor("https://storage.azure.com", expiresOnTimestamp), expiresOnTimestamp };
}
