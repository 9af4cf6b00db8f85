import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import * as z from "zod";

/** The settings of a queue that the broker needs. */
export interface QueueDeclaration {
  readonly name: string;
  readonly lockDurationMs: number;
  readonly maxDeliveryCount: number;
  /** Infinity means that messages do not expire by default. */
  readonly timeToLiveMs: number;
  /** Whether expired messages go to the dead-letter queue or are deleted. */
  readonly deadLetterOnExpiration: boolean;
  readonly requiresSession: boolean;
  /** Undefined means no duplicate detection. */
  readonly duplicateWindowMs: number | undefined;
}

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

const durationPattern = /^P(?=.)(?:(\d+)D)?(?:T(?=.)(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/;

/** Reads an ISO 8601 duration of days, hours, minutes and seconds, such as PT1M30S. Returns milliseconds, or undefined for other texts. */
export function parseDuration(text: string): number | undefined {
  const match = durationPattern.exec(text);
  if (!match) return undefined;
  const [days = 0, hours = 0, minutes = 0, seconds = 0] = match.slice(1).map((part) => Number(part ?? 0));
  return days * day + hours * hour + minutes * minute + seconds * second;
}

const duration = (least: string, most: string) =>
  z.string("must be an ISO 8601 duration such as PT1M or P14D").transform((text, context) => {
    const value = parseDuration(text);
    if (value === undefined) {
      context.addIssue(`"${text}" is no ISO 8601 duration such as PT1M or P14D`);
      return z.NEVER;
    }
    if (value < (parseDuration(least) ?? 0) || value > (parseDuration(most) ?? Infinity)) {
      context.addIssue(`"${text}" is not between ${least} and ${most}`);
    }
    return value;
  });

const noForwarding = z.literal("", "forwarding is not supported");

/** The limits of Microsoft's emulator, which must be able to read the same file. */
const emulatorProperties = z.strictObject({
  LockDuration: duration("PT5S", "PT5M"),
  // Both are required, because the emulator's defaults are not Azure's.
  MaxDeliveryCount: z.int("must be a whole number").min(1).max(10),
  DefaultMessageTimeToLive: duration("PT1S", "PT1H"),
  DeadLetteringOnMessageExpiration: z.boolean().default(false),
  RequiresSession: z.boolean().default(false),
  RequiresDuplicateDetection: z.boolean().default(false),
  DuplicateDetectionHistoryTimeWindow: duration("PT20S", "PT5M").default(minute),
  ForwardTo: noForwarding.optional(),
  ForwardDeadLetteredMessagesTo: noForwarding.optional(),
});

const queuesFile = z.object({
  UserConfig: z.object({
    Namespaces: z
      .array(
        z.strictObject({
          Name: z.string(),
          Queues: z.array(z.strictObject({ Name: z.string().min(1).max(260), Properties: emulatorProperties })),
          Topics: z.array(z.never()).max(0, "topics are not supported").optional(),
        }),
      )
      .length(1, "the emulator takes exactly one namespace"),
  }),
});

/** Settings with the limits of Azure, which the emulator does not allow. They apply to every queue. */
const overridesFile = z.strictObject({
  LockDuration: duration("PT5S", "PT5M").optional(),
  MaxDeliveryCount: z.int().min(1).max(2000).optional(),
  DefaultMessageTimeToLive: duration("PT1S", "P3650D").optional(),
  DeadLetteringOnMessageExpiration: z.boolean().optional(),
  MaxSizeInMegabytes: z.int().min(1).optional(), // only for the deployment; here the limit is the process's memory
});

/**
 * Reads the queues from a file in the format of Microsoft's emulator, and the settings of all queues from a file of overrides. Throws an
 * error that names the file and the field.
 */
export async function readQueues(queuesPath: string, overridesPath?: string): Promise<QueueDeclaration[]> {
  const { UserConfig } = await readJson(queuesPath, queuesFile);
  const overrides =
    overridesPath === undefined ? overridesFile.parse({}) : await readJson(overridesPath, overridesFile);
  const queues = UserConfig.Namespaces.flatMap((namespace) => namespace.Queues);
  refuseRepeatedNames(
    queuesPath,
    queues.map((queue) => queue.Name),
  );
  return queues.map(({ Name, Properties }) => ({
    name: Name,
    lockDurationMs: overrides.LockDuration ?? Properties.LockDuration,
    maxDeliveryCount: overrides.MaxDeliveryCount ?? Properties.MaxDeliveryCount,
    timeToLiveMs: overrides.DefaultMessageTimeToLive ?? Properties.DefaultMessageTimeToLive,
    deadLetterOnExpiration: overrides.DeadLetteringOnMessageExpiration ?? Properties.DeadLetteringOnMessageExpiration,
    requiresSession: Properties.RequiresSession,
    duplicateWindowMs: Properties.RequiresDuplicateDetection
      ? Properties.DuplicateDetectionHistoryTimeWindow
      : undefined,
  }));
}

async function readJson<Schema extends z.ZodType>(path: string, schema: Schema): Promise<z.output<Schema>> {
  const text = await readFile(path, "utf8");
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new Error(`${basename(path)} is not JSON: ${String(error)}`, { cause: error });
  }
  const result = schema.safeParse(json);
  if (result.success) return result.data;
  const complaints = result.error.issues.map((issue) => `${issue.path.join(".") || "(top)"}: ${issue.message}`);
  throw new Error(`${basename(path)}: ${complaints.join("; ")}`);
}

/** Throws if two names differ only in case, which Service Bus ignores. */
function refuseRepeatedNames(path: string, names: readonly string[]): void {
  const repeated = names.find((name, at) => names.findIndex((n) => n.toLowerCase() === name.toLowerCase()) !== at);
  if (repeated !== undefined) throw new Error(`${basename(path)}: the queue "${repeated}" is declared twice`);
}
