import { freePort, isFree } from "../../local-azure/common/free-ports.ts";

/** The ports at which people and partners' servers find `npm start`. They are the same at each start. */
export const publicPorts = { gateway: 7080, reference: 7090, faults: 7091, live: 7092, landingPage: 7093 } as const;

/** The port of the sample server that receives webhooks. */
export const WEBHOOK_PORT = 4242;

/** The ports of the parts. `npm start` moves a part without a public port if its port is taken. `npm run services` moves none. */
export const fixedPorts = {
  ...publicPorts,
  functions: 7071,
  tables: 10002,
  serviceBus: 5672,
  blobs: 10000,
  queues: 10001,
  smtp: 1025,
  mails: 8025,
} as const;

/** The ports of the parts of one stack. */
export type Ports = Readonly<
  Record<"gateway" | "functions" | "tables" | "serviceBus" | "smtp" | "mails" | "faults", number>
>;

/** The ports of the services that the app depends on. */
export type Dependencies = Pick<Ports, "tables" | "serviceBus">;

/** A stack's ports. With `fixed`, parts without a public port get free ones if theirs are taken. */
export async function choosePorts(ports: "fixed" | "free"): Promise<Ports> {
  const fixedOr = async (port: number, isStill: boolean) => (ports === "fixed" && isStill ? port : freePort());
  const inner = async (port: number) => fixedOr(port, await isFree(port));
  return {
    gateway: await fixedOr(publicPorts.gateway, true),
    functions: await inner(fixedPorts.functions),
    tables: await inner(fixedPorts.tables),
    serviceBus: await inner(fixedPorts.serviceBus),
    smtp: await inner(fixedPorts.smtp),
    mails: await inner(fixedPorts.mails),
    faults: await fixedOr(publicPorts.faults, true),
  };
}
