import { z } from "zod";
import { findStack } from "../local/directories.ts";

const connections = z.object({ tables: z.string().min(1), serviceBus: z.string().min(1) });
export type Connections = z.infer<typeof connections>;

/**
 * The connections that the operator's command uses: those of the named stack, else those in the app's own settings, else those of the stack
 * that runs on this machine. One setting without the other is refused, and so are settings together with a name, because the operator might
 * mean another cloud.
 */
export async function readConnections(
  env: Readonly<Record<string, string | undefined>> = process.env,
  stack?: string,
): Promise<Connections> {
  const { TABLES_CONNECTION: tables, SERVICE_BUS_CONNECTION: serviceBus } = env;
  if (stack !== undefined && (tables || serviceBus))
    throw new Error("Name a stack, or set TABLES_CONNECTION and SERVICE_BUS_CONNECTION: not both.");
  if (tables && serviceBus) return { tables, serviceBus };
  if (tables || serviceBus) throw new Error("Set both TABLES_CONNECTION and SERVICE_BUS_CONNECTION, or neither.");
  return ofStack(stack);
}

async function ofStack(named: string | undefined): Promise<Connections> {
  try {
    return connections.parse(await findStack(named));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`${why}\nOr set TABLES_CONNECTION and SERVICE_BUS_CONNECTION.`, { cause: error });
  }
}

/** The cloud's names without its keys: its tables and its Service Bus. */
export function cloudOf({ tables, serviceBus }: Connections): string {
  const account = /(?:^|;)TableEndpoint=([^;]+)/i.exec(tables)?.[1] ?? /(?:^|;)AccountName=([^;]+)/i.exec(tables)?.[1];
  const bus = /(?:^|;)Endpoint=sb:\/\/([^;/]+)/i.exec(serviceBus)?.[1];
  return `the tables of ${account ?? "an unnamed account"} and the Service Bus ${bus ?? "without a name"}`;
}
