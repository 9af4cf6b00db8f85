import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { expect, it } from "vitest";
import { judge } from "../../../../test/support/api-documents.ts";
import { playFlawed } from "../unit/kit/powered.ts";

const ajv = new Ajv2020({ strict: false });
formats.default(ajv);
const document = JSON.parse(readFileSync(new URL("../../../../docs/openapi/terminals.json", import.meta.url), "utf8"));
ajv.addSchema({ components: document.components }, "terminals");

const bodies: Readonly<Record<string, string>> = {
  report: "Report",
  "raise-action-request": "RaisedActionRequest",
  "day-totals": "ClosedDay",
};

/** The parts of the terminal's body that the document does not describe. */
function complaintsAbout(operation: string, sent: unknown): string[] {
  const name = bodies[operation];
  if (name === undefined) return [];
  const isValid = ajv.validate({ $ref: `terminals#/components/schemas/${name}` }, sent);
  return isValid ? [] : [ajv.errorsText()];
}

it("the kit and the reference terminal send each other only what the document of the Terminals API describes", async () => {
  const { platform, results } = await playFlawed();
  expect(results.filter(({ passed }) => !passed)).toEqual([]);

  const complaints = platform.exchanges.flatMap(({ operation, method, target, status, headers, body, sent }) => {
    const about = complaintsAbout(operation, sent);
    if (status === undefined || body.includes("laterMessage")) return about; // no response, or a message of a later release
    const seen = { method, url: `http://kit${target}`, status, headers: new Headers(headers), body };
    return [...about, ...judge(seen).complaints].map((complaint) => `${operation} ${status}: ${complaint}`);
  });

  expect(complaints).toEqual([]);
  const statuses = new Set(platform.exchanges.map(({ operation, status }) => `${operation} ${status}`));
  expect([...statuses]).toEqual(
    expect.arrayContaining([
      "next-message 200",
      "report 200",
      "report 401",
      "report 429",
      "report 503",
      "raise-action-request 202",
      "day-totals 200",
    ]),
  );
});
