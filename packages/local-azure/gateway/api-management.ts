#!/usr/bin/env node
// The local API Management as its own process: `node packages/local-azure/gateway/api-management.ts --port 7080 --config gateway.json`.
import { readFile } from "node:fs/promises";
import type { RequestListener } from "node:http";
import * as z from "zod";
import { assertFree } from "../common/free-ports.ts";
import { numberIn, readOptions } from "../common/options.ts";
import { publisher } from "../common/publish.ts";
import { withFaultHeader } from "../faults/fault-header.ts";
import { startGateway, type PassedCall } from "./gateway.ts";

const namedValues = z.record(z.string(), z.string());

/** The options of `startGateway` without the port, and the address of a switch for faults that requests may use by a header. */
const config = z.strictObject({
  directory: z.string(),
  namedValues,
  subscriptions: z.array(
    z.strictObject({
      id: z.string(),
      primaryKey: z.string(),
      secondaryKey: z.string(),
      apis: z.array(z.string()).optional(),
    }),
  ),
  backendUrl: z.url(),
  anyLoopbackOrigin: z.boolean().default(false),
  open: z.strictObject({ host: z.string().min(1).optional(), name: z.string().min(1).optional() }).optional(),
  faultSwitch: z.url().optional(),
});

/**
 * A message from the parent with new named values. The response is `{ namedValuesSet: true }`, or the error's message instead of `true`.
 */
const change = z.strictObject({ namedValues });

const options = { port: { type: "string", default: "7080" }, config: { type: "string" } } as const;

const { port, file } = readOptions("gateway", { options }, ({ values }) => {
  if (values.config === undefined)
    throw new Error("--config <file> is needed: a JSON file with the gateway's options.");
  return { port: numberIn("--port", values.port), file: values.config };
});

async function main(): Promise<void> {
  const read = config.safeParse(JSON.parse(await readFile(file, "utf8")));
  if (!read.success) throw new Error(`${file}: ${z.prettifyError(read.error)}`);
  await assertFree([[port, "the gateway"]], "End that process, or choose another --port.");
  const { faultSwitch, ...given } = read.data;
  const front =
    faultSwitch === undefined ? undefined : (gateway: RequestListener) => withFaultHeader(gateway, faultSwitch);
  const gateway = await startGateway({ port, ...given, front, passed: publisher<PassedCall>("call") });

  let stopping = false;
  const stop = (): void => {
    if (stopping) return;
    stopping = true;
    void gateway.stop().then(() => process.exit(0));
  };
  process.once("SIGTERM", stop);
  process.once("SIGINT", stop);
  process.once("disconnect", stop); // a signal would end it at once on Windows

  process.on("message", (message) => {
    const read = change.safeParse(message);
    if (!read.success) return; // the channel has other messages
    gateway.setNamedValues(read.data.namedValues).then(
      () => process.send?.({ namedValuesSet: true }),
      (error: unknown) => process.send?.({ namedValuesSet: error instanceof Error ? error.message : String(error) }),
    );
  });
  process.channel?.unref(); // the listener must not keep the process
  console.log(JSON.stringify({ ready: true, port: gateway.port }));
}

await main().catch((error: unknown) => {
  console.error(`gateway: ${error instanceof Error ? error.message : String(error)}`);
  process.exit(1);
});
