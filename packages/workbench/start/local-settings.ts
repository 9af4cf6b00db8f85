import { readFile, writeFile } from "node:fs/promises";
import * as z from "zod";
import { storageConnection, tablesConnection } from "../stack/azurite.ts";
import { mailSettings } from "../stack/consumer.ts";
import { serviceBusConnection } from "../stack/processes.ts";
import { fixedPorts } from "../stack/ports.ts";

const example = new URL("../../../local.settings.example.json", import.meta.url);
const settingsFile = z.looseObject({ Values: z.record(z.string(), z.string()) });

/** The ports that the app's settings name. */
export type PortsOfServices = Readonly<Record<"tables" | "blobs" | "queues" | "serviceBus" | "smtp", number>>;

/**
 * Writes the settings with which the app finds the services of this machine, from `local.settings.example.json`. Never changes an existing
 * file. Resolves with whether the file was written. Rejects with the error of the file system.
 */
export async function writeLocalSettings(target: string, ports: PortsOfServices): Promise<boolean> {
  const { Values: values, ...others } = settingsFile.parse(JSON.parse(await readFile(example, "utf8")));
  const text = JSON.stringify({ ...others, Values: { ...values, ...connectionsTo(ports) } }, null, 2);
  try {
    await writeFile(target, `${text}\n`, { flag: "wx" });
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  }
}

/** The example names the fixed ports by the emulators' own short forms. */
const connectionsTo = (ports: PortsOfServices): Readonly<Record<string, string>> =>
  ports === fixedPorts
    ? {}
    : {
        AzureWebJobsStorage: storageConnection(ports),
        TABLES_CONNECTION: tablesConnection(ports.tables),
        SERVICE_BUS_CONNECTION: serviceBusConnection(ports.serviceBus),
        ...mailSettings(ports.smtp),
      };
