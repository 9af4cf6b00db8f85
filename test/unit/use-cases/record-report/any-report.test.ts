import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { anyJson } from "../../../support/any-value.ts";
import { approval, aReporter } from "../../../support/a-reporter.ts";
import { fc } from "../../../support/drawn.ts";

const ABOUT_MONEY = ["authorized", "captured", "captureFailed", "voided", "voidFailed", "refunded", "refundFailed"];

/** Values whose conversion to text fails or lies. */
const trap = fc.constantFrom<unknown>({ toString: 1 }, { valueOf: null }, [{ toString: 1 }], { toJSON: "x" }, [[]], "");
const wrong = fc.oneof(trap, anyJson);

/** A report with any value for each member, and any JSON at all. */
const anyReport = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.dictionary(fc.constantFrom(...Object.keys(approval()), "card", "acquirer", "detail"), wrong),
  },
  { weight: 1, arbitrary: wrong },
);

it("a report of any JSON is refused or accepted, never an error of the platform; a report about money is kept", async () => {
  await fc.assert(
    fc.asyncProperty(anyReport, fc.constantFrom(...ABOUT_MONEY, undefined), async (drawn, type) => {
      const isObject = typeof drawn === "object" && drawn !== null && !Array.isArray(drawn);
      const body = isObject ? { ...approval(), ...drawn, ...(type && { type }), reportID: randomUUID() } : drawn;
      const { sendReport, pass, ofDay, log } = await aReporter();
      const status = (await sendReport(JSON.stringify(body))) ?? 0;
      expect([200, 202, 400, 404, 409, 413, 422]).toContain(status);
      await pass();
      expect(log.lines.filter(({ event }) => event === "requestFailed" || event === "effectFailed")).toEqual([]);
      if (status >= 400 && isObject && type) expect(await ofDay()).toMatchObject({ status: "open", count: 1 });
    }),
    { numRuns: Number(process.env["REPORT_RUNS"] ?? 500) },
  );
});
