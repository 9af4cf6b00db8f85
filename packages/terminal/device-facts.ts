import type { Device, SelfDescription } from "../../shared/domain/device.ts";
import { shownText } from "../../shared/domain/texts.ts";

const networkWords: Readonly<Record<NonNullable<Device["network"]>, string>> = {
  wifi: "Wi-Fi",
  ethernet: "Ethernet",
  mobile: "mobile network",
};

/** The facts that a terminal tells of itself, in words. Empty if it tells none. */
export function deviceFacts({ device = {}, can }: SelfDescription, batteryPercent: number | undefined): string[] {
  const { maker, model, serialNumber, softwareVersion, network } = device;
  const facts = [
    [maker, model].filter(Boolean).join(" "),
    serialNumber && `serial number ${serialNumber}`,
    softwareVersion && `software ${softwareVersion}`,
    network && networkWords[network],
    batteryPercent !== undefined && `battery ${batteryPercent}%`,
    can.length > 0 && `can ${can.join(", ")}`,
  ];
  return facts.flatMap((fact) => (fact ? [shownText(fact)] : []));
}
