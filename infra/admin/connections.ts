import { readFile } from "node:fs/promises";
import { z } from "zod";

const connections = z.object({ tables: z.string().min(1), serviceBus: z.string().min(1) });
export type Connections = z.infer<typeof connections>;

/** Where the operator works: as the app's own settings say, else on the stack that runs on this machine. */
export async function readConnections(): Promise<Connections> {
  const { TABLES_CONNECTION: tables, SERVICE_BUS_CONNECTION: serviceBus } = process.env;
  if (tables && serviceBus) return { tables, serviceBus };
  try {
    const file = await readFile(new URL("../../.local/stack.json", import.meta.url), "utf8");
    return connections.parse(JSON.parse(file));
  } catch (error) {
    throw new Error("Set TABLES_CONNECTION and SERVICE_BUS_CONNECTION, or start a stack here with npm start.", {
      cause: error,
    });
  }
}
