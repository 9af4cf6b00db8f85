import * as z from "zod";
import type { RecordOf } from "./record.ts";

/** The longest text about a device in characters, and the most abilities that a terminal names. */
export const deviceLimits = { text: 64, abilities: 32 } as const;

/** How a terminal reaches the platform. */
export const networks = ["wifi", "ethernet", "mobile"] as const;

/** The device that a terminal runs on, as the terminal describes it. */
const deviceRecord = z.object({
  maker: z.string().optional(),
  model: z.string().optional(),
  serialNumber: z.string().optional(),
  softwareVersion: z.string().optional(),
  network: z.enum(networks).optional(),
});
export interface Device extends RecordOf<typeof deviceRecord> {}

/** A terminal's description of itself, which the next one replaces as a whole. */
export const selfDescriptionRecord = z.object({
  device: deviceRecord.optional(),
  /** The names of its abilities. The terminal's maker and the readers of a name agree on its meaning. */
  can: z.array(z.string()),
});
export interface SelfDescription extends RecordOf<typeof selfDescriptionRecord> {}
