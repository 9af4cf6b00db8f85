import { readFile } from "node:fs/promises";
import { z } from "zod";

const connections = z.object({ tables: z.string().min(1), serviceBus: z.string().min(1) });
export type Connections = z.infer<typeof connections>;

/**
 * Where the operator works: as the app's own settings say, else on the stack that runs on this machine. One setting without the other is
 * refused: it would have meant another cloud than the operator thought of.
 */
export async function readConnections(
  env: Readonly<Record<string, string | undefined>> = process.env,
): Promise<Connections> {
  const { TABLES_CONNECTION: tables, SERVICE_BUS_CONNECTION: serviceBus } = env;
  if (tables && serviceBus) return { tables, serviceBus };
  if (tables || serviceBus) throw new Error("Set both TABLES_CONNECTION and SERVICE_BUS_CONNECTION, or neither.");
  try {
    const file = await readFile(new URL("../../.local/stack.json", import.meta.url), "utf8");
    return connections.parse(JSON.parse(file));
  } catch (error) {
    throw new Error("Set TABLES_CONNECTION and SERVICE_BUS_CONNECTION, or start a stack here with npm start.", {
      cause: error,
    });
  }
}

/** The cloud by its names, and without its keys: which tables, and which Service Bus. */
export function cloudOf({ tables, serviceBus }: Connections): string {
  const account = /(?:^|;)TableEndpoint=([^;]+)/i.exec(tables)?.[1] ?? /(?:^|;)AccountName=([^;]+)/i.exec(tables)?.[1];
  const bus = /(?:^|;)Endpoint=sb:\/\/([^;/]+)/i.exec(serviceBus)?.[1];
  return `the tables of ${account ?? "an unnamed account"} and the Service Bus ${bus ?? "without a name"}`;
}
