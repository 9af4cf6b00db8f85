import * as z from "zod";
import { deviceLimits, type networks } from "../../domain/device.ts";
import { values } from "../values.ts";

// The parts of a terminal's description of itself. Partners get them too.

const fact = (description: string) => z.string().min(1).max(deviceLimits.text).optional().meta({ description });

const network = values<(typeof networks)[number]>("Network", "How the terminal reaches the platform.", {
  wifi: "A wireless network.",
  ethernet: "A cable.",
  mobile: "A mobile network.",
});

export const device = z
  .object({
    maker: fact("The device's maker."),
    model: fact("The maker's name for the model."),
    serialNumber: fact("The device's serial number."),
    softwareVersion: fact("The version of the terminal's software."),
    network: network.optional(),
  })
  .meta({ id: "Device", description: "The device, as the terminal described it when it last started." });

export const can = z
  .array(z.string().max(deviceLimits.text))
  .max(deviceLimits.abilities)
  .meta({ description: "The names of the terminal's abilities. The list is open." });
