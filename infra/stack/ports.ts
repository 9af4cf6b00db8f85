import { assertFree, freePort } from "../emulators/common/free-ports.ts";

/** The ports of the parts, unless `--ports 0` chooses free ones. */
export const fixedPorts = {
  gateway: 7080,
  functions: 7071,
  tables: 10002,
  serviceBus: 5672,
  blobs: 10000,
  queues: 10001,
  smtp: 1025,
  mails: 8025,
  reference: 7090,
  faults: 7091,
  live: 7092,
  landingPage: 7093,
} as const;

/** The ports of the parts of one stack. */
export type Ports = Readonly<
  Record<"gateway" | "functions" | "tables" | "serviceBus" | "smtp" | "mails" | "faults", number>
>;

/** The ports of the services that the app depends on. */
export type Dependencies = Pick<Ports, "tables" | "serviceBus">;

/** A stack's ports. Throws if a fixed port is taken. */
export async function choosePorts(ports: "fixed" | "free"): Promise<Ports> {
  if (ports === "free") {
    return {
      gateway: await freePort(),
      functions: await freePort(),
      tables: await freePort(),
      serviceBus: await freePort(),
      smtp: await freePort(),
      mails: await freePort(),
      faults: await freePort(),
    };
  }
  await assertFree(fixedPorts.gateway, "the gateway");
  await assertFree(fixedPorts.functions, "the Functions host");
  await assertFree(fixedPorts.tables, "Azurite");
  await assertFree(fixedPorts.serviceBus, "the Service Bus");
  for (const port of [fixedPorts.smtp, fixedPorts.mails]) await assertFree(port, "the mail sink");
  await assertFree(fixedPorts.faults, "the switch for faults");
  return fixedPorts;
}
