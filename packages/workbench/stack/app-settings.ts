import { newestVersion } from "../../../shared/ports/stored-forms.ts";
import { MAX_BODY_BYTES } from "../../../shared/edge/http/read-body.ts";
import { tablesAccess } from "./azurite.ts";
import { mailSettings, type NewConsumer } from "./consumer.ts";
import type { Dependencies, Ports } from "./ports.ts";
import { serviceBusConnection } from "./processes.ts";
import { peppersOf, webhookSecretKeysOf, type Secrets } from "./secrets.ts";
import type { Settings, StackOptions } from "./stack-options.ts";

/** The sources of the settings. */
interface Configured {
  readonly options: StackOptions;
  readonly ports: Pick<Ports, "smtp">;
  readonly secrets: Secrets;
  readonly consumer: NewConsumer;
}

/** A new stack has no hosts of an older release, so it writes the newest version. */
const WRITE_VERSION = String(newestVersion);

/** A host carries out 1,000 calls at a time (host.json). The others are for partners, reports and customers. */
const POLLS_OF_INSTANCE = "900";

/** The app settings of the host with this number. It reaches tables and Service Bus on the ports `seen`. */
export const appSettings = (
  { options, ports, secrets, consumer }: Configured,
  seen: Dependencies,
  host: number,
): Settings => ({
  TABLES_CONNECTION: tablesAccess(seen.tables),
  SERVICE_BUS_CONNECTION: serviceBusConnection(seen.serviceBus),
  KEY_PEPPERS: JSON.stringify(peppersOf(secrets)),
  WEBHOOK_SECRET_KEYS: JSON.stringify(webhookSecretKeysOf(secrets)),
  WRITE_VERSION,
  WEBHOOKS_ALLOW_LOOPBACK: "true",
  POLLS_OF_INSTANCE,
  FUNCTIONS_REQUEST_BODY_SIZE_LIMIT: String(MAX_BODY_BYTES),
  AzureWebJobsDisableHomepage: "true",
  ...consumer.settings,
  ...mailSettings(ports.smtp),
  ...traceSettings(options.live),
  ...(options.problemPagesUrl !== undefined && { PROBLEM_PAGES_URL: options.problemPagesUrl }),
  ...(typeof options.settings === "function" ? options.settings(host) : options.settings),
});

/** Short, because the live page shows a payment while it runs. */
const SPANS_MS = "200";

function traceSettings(live: StackOptions["live"]): Settings {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: all, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: traces } = process.env;
  if (live === undefined || all !== undefined || traces !== undefined) return {};
  return { OTEL_EXPORTER_OTLP_ENDPOINT: live.url, OTEL_BSP_SCHEDULE_DELAY: SPANS_MS };
}
