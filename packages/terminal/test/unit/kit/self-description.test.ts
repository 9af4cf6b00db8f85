import { expect, it } from "vitest";
import { shownDescription, shownResult, summary } from "../../../kit/show.ts";
import { describedBy } from "../../../kit/self-description.ts";
import { broken, playFlawed, type Flaw } from "./powered.ts";

/** The reference terminal, with these words about itself. */
const saying = (said: object, battery: number): Flaw => ({
  wrap: (client) => ({
    ...client,
    report: (report) => client.report(report.type === "started" ? { ...report, ...said } : report),
    next: (wait, options) => client.next(wait, { ...options, battery }),
  }),
});

async function described(said: object, battery: number) {
  const { platform, results } = await playFlawed(saying(said, battery), "start");
  expect(broken(results)).toEqual({});
  return describedBy(platform);
}

it("says what device a terminal is", async () => {
  const device = { maker: "Maker", model: "M1", serialNumber: "S1", softwareVersion: "2.1", network: "mobile" };
  const said = await described({ device, can: ["print"] }, 87);
  expect(said).toEqual({ device, can: ["print"], battery: 87, warnings: [] });
  expect(shownDescription(said)).toBe(
    "device  Maker M1 · serial number S1 · software 2.1 · mobile network · battery 87% · can print",
  );
});

it("warns of each word that the platform does not keep, and fails no scenario for it", async () => {
  const long = "m".repeat(65);
  const said = await described({ device: { maker: "Maker", model: long, network: "lte" }, can: "print" }, 87.5);
  expect(said).toEqual({
    device: { maker: "Maker", model: long.slice(1) },
    can: [],
    warnings: [
      `device.model is "${long}". The platform keeps "${long.slice(1)}".`,
      'device.network is "lte". The platform ignores it.',
      'can is "print". The platform keeps [].',
      'battery is "87.5". The platform ignores it.',
    ],
  });
  expect(shownDescription(said).split("\n").slice(1)).toEqual(
    said.warnings.map((warning) => `WARNING ${warning} (docs/terminals.md#the-device)`),
  );
});

it("skips what a terminal does not name as its ability, in a sentence", async () => {
  const { results } = await playFlawed(saying({ can: [] }, 87), "largest tip");
  expect(results.map(shownResult)).toEqual([
    "skipped largest tip                  The terminal does not name `tips` in `can`.",
  ]);
  expect(summary(results, 2)).toBe("0 passed, 0 failed, 3 not played; 0.0 s");
});

it("warns of a device that is not an object, and of a charge above 100", async () => {
  const { warnings } = await described({ device: "M1" }, 101);
  expect(warnings).toEqual(['device is "M1". The platform ignores it.', 'battery is "101". The platform ignores it.']);
});
