import { readFile } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { unknownKeys } from "./host-json-keys.ts";
import { severities, type Levels } from "./log.ts";

/** The settings of host.json that this host uses. The defaults are the real host's. */
export interface HostSettings {
  readonly http: HttpSettings;
  readonly levels: Levels;
  readonly serviceBus: ServiceBusSettings;
  /** The longest time that one call of a function may take. Infinity means no limit. */
  readonly functionTimeoutMs: number;
  /** Keys of the file that the real host does not know and ignores. */
  readonly unknownKeys: readonly string[];
}

export interface HttpSettings {
  readonly routePrefix: string;
  /** The most requests that the host has at once, including waiting ones. Infinity means no limit, also for the next member. */
  readonly maxOutstandingRequests: number;
  readonly maxConcurrentRequests: number;
  /** Headers that are added to every response. */
  readonly customHeaders: Readonly<Record<string, string>>;
}

export interface ServiceBusSettings {
  readonly maxConcurrentCalls: number;
  /** Whether a message is completed when its function returns. */
  readonly autoCompleteMessages: boolean;
  readonly maxAutoLockRenewalMs: number;
}

const duration = z
  .string()
  .regex(/^(\d+\.)?\d{1,2}:\d{2}:\d{2}$/, "must be a time span as hh:mm:ss")
  .transform((text) => {
    const [days = 0, hours = 0, minutes = 0, seconds = 0] = (text.includes(".") ? text : `0.${text}`)
      .split(/[.:]/)
      .map(Number);
    return (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000;
  });

const UNLIMITED = -1;
const limit = z
  .int()
  .refine((most) => most > 0 || most === UNLIMITED, "must be a number above zero, or -1 for none")
  .default(UNLIMITED)
  .transform((most) => (most === UNLIMITED ? Infinity : most));

const hostJson = z.object({
  version: z.literal("2.0"),
  functionTimeout: z.union([z.literal("-1").transform(() => Infinity), duration]).default(30 * 60_000),
  extensions: z
    .object({
      http: z
        .object({
          routePrefix: z.string().default("api"),
          maxOutstandingRequests: limit,
          maxConcurrentRequests: limit,
          customHeaders: z.record(z.string(), z.string()).default({}),
        })
        .prefault({}),
      serviceBus: z
        .object({
          maxConcurrentCalls: z.int().positive().default(16),
          autoCompleteMessages: z.boolean().default(true),
          maxAutoLockRenewalDuration: duration.default(5 * 60_000),
        })
        .prefault({}),
    })
    .prefault({}),
  logging: z
    .object({ logLevel: z.record(z.string(), z.string().toLowerCase().pipe(z.enum(severities))).default({}) })
    .prefault({}),
});

const packageJson = z.object({ main: z.string().min(1), type: z.string().optional() });

/** Reads the app's host.json. Throws a message that names the file and the field. */
export async function readHostSettings(directory: string): Promise<HostSettings> {
  const file = join(directory, "host.json");
  const { extensions, logging, functionTimeout } = await readJson(file, hostJson);
  const { maxConcurrentCalls, autoCompleteMessages, maxAutoLockRenewalDuration } = extensions.serviceBus;
  return {
    http: extensions.http,
    levels: logging.logLevel,
    serviceBus: { maxConcurrentCalls, autoCompleteMessages, maxAutoLockRenewalMs: maxAutoLockRenewalDuration },
    functionTimeoutMs: functionTimeout,
    unknownKeys: unknownKeys(await readJson(file, z.record(z.string(), z.unknown()))),
  };
}

/** The app setting that limits a body, and the real host's default, in bytes. */
export const BODY_LIMIT_SETTING = "FUNCTIONS_REQUEST_BODY_SIZE_LIMIT";
const MAX_BODY_BYTES = 104_857_600;

/** Reads that setting. Throws a message that names it if it is not a number of bytes. */
export function readBodyLimit(setting: string | undefined): number {
  if (setting === undefined) return MAX_BODY_BYTES;
  const bytes = Number(setting);
  if (/^\d+$/.test(setting) && Number.isSafeInteger(bytes)) return bytes;
  throw new Error(`${BODY_LIMIT_SETTING} ${setting} is no number of bytes`);
}

/** The pattern of the app's files, from its package.json. */
export const readEntryPoint = async (directory: string): Promise<string> =>
  (await readJson(join(directory, "package.json"), packageJson)).main;

/** Reads a JSON file through its schema. Throws a message that names the file and the fault. */
export async function readJson<T>(file: string, schema: z.ZodType<T>): Promise<T> {
  let json: unknown;
  try {
    json = JSON.parse(await readFile(file, "utf8"));
  } catch (error) {
    throw new Error(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
  const parsed = schema.safeParse(json);
  if (!parsed.success) throw new Error(`${file}: ${z.prettifyError(parsed.error)}`);
  return parsed.data;
}
