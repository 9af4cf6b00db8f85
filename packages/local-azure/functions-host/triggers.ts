import * as z from "zod";
import type { RegisteredFunction } from "./functions-core.ts";
import type { HttpFunction } from "./http-trigger.ts";
import type { BusConnection } from "./queue-connection.ts";
import type { QueueFunction } from "./service-bus-trigger.ts";
import type { Binding } from "./worker-protocol.ts";

export interface Triggers {
  readonly http: readonly HttpFunction[];
  readonly queues: readonly QueueFunction[];
}

/**
 * The functions of one scale group, by Azure's names: `http` has all HTTP functions, `function:<name>` one other. Throws if there are none.
 */
export function inScaleGroup({ http, queues }: Triggers, group: string): Triggers {
  const found =
    group === "http"
      ? { http, queues: [] }
      : { http: [], queues: queues.filter(({ registered }) => group === `function:${registered.name}`) };
  if (found.http.length + found.queues.length === 0) throw new Error(`no function is in the scale group "${group}"`);
  return found;
}

/** Looks up an app setting. */
export type AppSetting = (name: string) => string | undefined;

const httpBinding = z.object({
  route: z.string().optional(),
  methods: z.array(z.string()).default([]),
  authLevel: z
    .string()
    .toLowerCase()
    .pipe(z.enum(["anonymous", "function", "admin"])),
});

const queueBinding = z.object({
  queueName: z.string({ error: "only queues are supported, not topics" }),
  connection: z.string().default("ServiceBus"),
  autoCompleteMessages: z.boolean().optional(),
  dataType: z.enum(["string", "binary"]).default("string"),
  cardinality: z.literal("one", { error: "batches are not supported" }).default("one"),
  isSessionsEnabled: z.literal(false, { error: "sessions are not supported" }).default(false),
  sdkBinding: z.literal(false, { error: "SDK bindings are not supported" }).default(false),
});

/** Groups the app's functions by their triggers. Throws a message that names a function that this host cannot run. */
export function readTriggers(functions: Iterable<RegisteredFunction>, appSetting: AppSetting): Triggers {
  const http: HttpFunction[] = [];
  const queues: QueueFunction[] = [];
  for (const registered of functions) {
    const { name } = registered;
    if (!/^[a-z][\w-]{0,127}$/i.test(name)) throw new Error(`"${name}" is no valid name for a function`);
    const [bindingName, trigger] = triggerOf(registered);
    switch (trigger.type.toLowerCase()) {
      case "httptrigger": {
        const { route = name, ...settings } = readBinding(name, trigger, httpBinding);
        http.push({ registered, bindingName, route, ...settings });
        break;
      }
      case "servicebustrigger": {
        const { queueName, connection, autoCompleteMessages, dataType } = readBinding(name, trigger, queueBinding);
        queues.push({
          registered,
          bindingName,
          queueName: inserted(queueName, name, appSetting),
          connection: connectionOf(connection, name, appSetting),
          autoCompleteMessages,
          dataType,
        });
        break;
      }
      default:
        throw new Error(`function "${name}": the trigger "${trigger.type}" is not supported here`);
    }
  }
  return { http, queues };
}

/** The trigger of a function. Throws if anything else is bound, except the response of an HTTP function. */
function triggerOf({ name, metadata }: RegisteredFunction): [string, Binding] {
  const bindings = Object.entries(metadata.bindings);
  const [trigger, ...others] = bindings.filter(([, { type }]) => type.toLowerCase().endsWith("trigger"));
  if (!trigger || others.length > 0) throw new Error(`function "${name}" must have one trigger`);
  for (const [, { type, direction }] of bindings.filter((binding) => binding !== trigger)) {
    if (direction === "out" && type.toLowerCase() === "http") continue;
    throw new Error(`function "${name}": ${direction}put bindings ("${type}") are not supported here`);
  }
  return trigger;
}

function readBinding<T>(functionName: string, binding: Binding, schema: z.ZodType<T>): T {
  const parsed = schema.safeParse(binding);
  if (!parsed.success) throw new Error(`function "${functionName}": ${z.prettifyError(parsed.error)}`);
  return parsed.data;
}

/** Replaces each `%NAME%` in a binding by the app setting of that name. */
const inserted = (text: string, functionName: string, appSetting: AppSetting): string =>
  text.replaceAll(/%([^%]+)%/g, (_match, setting: string) => settingOf(setting, functionName, appSetting));

/**
 * The connection from the setting with the exact name. If there is none, it comes from the settings that begin with the name and `__`. This
 * host supports only managed identities among the extension's credentials, and the default ones without `__credential`.
 */
function connectionOf(name: string, functionName: string, appSetting: AppSetting): BusConnection {
  const settingsOf = ["", "AzureWebJobs"].map((prefix) => (suffix: string) => appSetting(prefix + name + suffix));
  const exact = settingsOf.map((setting) => setting("")).find(Boolean);
  if (exact) return exact;
  const found = settingsOf.find((setting) => setting("__fullyQualifiedNamespace"));
  const fullyQualifiedNamespace = found?.("__fullyQualifiedNamespace");
  if (!found || !fullyQualifiedNamespace)
    throw new Error(
      `function "${functionName}" needs the app setting "${name}", which is missing or empty, or with an identity "${name}__fullyQualifiedNamespace"`,
    );
  const credential = found("__credential")?.toLowerCase();
  if (credential && credential !== "managedidentity")
    throw new Error(`function "${functionName}": ${name}__credential "${credential}" is not supported here`);
  return {
    fullyQualifiedNamespace,
    clientId: found("__clientId") || undefined,
    managedIdentityOnly: credential === "managedidentity",
  };
}

function settingOf(name: string, functionName: string, appSetting: AppSetting): string {
  const value = appSetting(name) ?? appSetting(`AzureWebJobs${name}`);
  if (!value) throw new Error(`function "${functionName}" needs the app setting "${name}", which is missing or empty`);
  return value;
}
