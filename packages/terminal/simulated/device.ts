import type { Device } from "../../../shared/domain/device.ts";

/** The device that a simulated terminal plays. */
export interface PlayedDevice {
  /** The device as the terminal describes it with each start. */
  readonly about: Device;
  /** The charge of its battery as a whole percent. Absent on mains. */
  readonly battery?: () => number;
}

const made = { maker: "Example Terminals", softwareVersion: "1.0.0" } as const;

/** A terminal with a plug and a network cable. */
export const onMains = (serialNumber: string): PlayedDevice => ({
  about: { ...made, model: "Counter 1", serialNumber, network: "ethernet" },
});

/** A terminal to carry about. */
export const onBattery = (serialNumber: string): PlayedDevice => ({
  about: { ...made, model: "Pocket 1", serialNumber, network: "wifi" },
  battery: newBattery(),
});

/** The serial number of the device that plays this terminal. */
export const serialOf = (pointOfServiceID: string): string => `SIM-${pointOfServiceID.slice(-8).toUpperCase()}`;

const [FULL, LOW, PERCENT_MS] = [100, 20, 180_000];

/** A battery that loses a percent in three minutes. It is exchanged for a full one at 20 percent. */
function newBattery(): () => number {
  const since = performance.now();
  return () => FULL - (Math.floor((performance.now() - since) / PERCENT_MS) % (FULL - LOW));
}
