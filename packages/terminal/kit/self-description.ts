import { isDeepStrictEqual } from "node:util";
import { terminalReportBody } from "../../../shared/contracts/requests/terminal-report.ts";
import type { SelfDescription } from "../../../shared/domain/device.ts";
import { escaped } from "../../../shared/domain/texts.ts";
import type { Platform } from "./platform.ts";
import { membersOf } from "./received-report.ts";

/** The part of a terminal's description of itself that the platform keeps. */
export interface Described extends SelfDescription {
  /** The charge in percent that the last poll named. */
  readonly battery?: number;
  /** Each word of the terminal that the platform does not keep, as a sentence. It breaks no rule. */
  readonly warnings: readonly string[];
}

/** Reads the terminal's last start and its polls as the platform does. */
export function describedBy({ reports, exchanges }: Pick<Platform, "reports" | "exchanges">): Described {
  const start = reports.findLast(({ type, isTaken }) => type === "started" && isTaken)?.body ?? {};
  const read = terminalReportBody.parse(start);
  const { device, can } = read.of === "start" ? read.described : { can: [] };
  const charges = exchanges.flatMap(({ operation, target }) =>
    operation === "next-message" ? (new URLSearchParams(target.split("?")[1]).get("battery") ?? []) : [],
  );
  const battery = charges.findLast(isCharge);
  return {
    ...(device && { device }),
    can,
    ...(battery !== undefined && { battery: Number(battery) }),
    warnings: [
      ...deviceWarnings(start["device"], device),
      ...lost("can", start["can"], can),
      ...lost(
        "battery",
        charges.find((charge) => !isCharge(charge)),
        undefined,
      ),
    ],
  };
}

const isCharge = (text: string): boolean => {
  const charge = Number(text);
  return text.trim() !== "" && Number.isInteger(charge) && charge >= 0 && charge <= 100;
};

const deviceWarnings = (sent: unknown, kept: SelfDescription["device"]): readonly string[] =>
  typeof sent === "object" && !Array.isArray(sent)
    ? Object.entries(membersOf(sent)).flatMap(([name, value]) => lost(`device.${name}`, value, membersOf(kept)[name]))
    : lost("device", sent, kept);

/** Says what the platform keeps of a member, unless that is all or the member is absent. */
function lost(name: string, sent: unknown, kept: unknown): readonly string[] {
  if (sent === undefined || sent === null || isDeepStrictEqual(sent, kept)) return [];
  const json = (value: unknown) => escaped(JSON.stringify(value));
  return [`${name} is ${json(sent)}. The platform ${kept === undefined ? "ignores it" : `keeps ${json(kept)}`}.`];
}
