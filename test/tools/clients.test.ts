import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { clientTool } from "../support/client-tool.ts";
import { read } from "../support/pages.ts";

it.each(["partners", "consumer"])(
  "the client of the API %s is generated from the current document (else: npm run openapi)",
  async (api) => {
    clientTool("openapi-typescript");
    const folder = fileURLToPath(new URL("../../clients/partners", import.meta.url));
    const options = { cwd: folder, shell: process.platform === "win32" }; // npm is a script there
    const checked = promisify(execFile)("npm", ["run", "--silent", `generate:${api}`, "--", "--check"], options);
    await expect(checked).resolves.toBeDefined();
  },
);

it("an event in the client is any of the document's events, in a webhook and in the feed", () => {
  const { components } = JSON.parse(read("docs/openapi/partners.json")) as {
    readonly components: {
      readonly schemas: Readonly<Record<string, { readonly anyOf?: readonly { $ref: string }[] }>>;
    };
  };
  const kinds = Object.keys(components.schemas).filter((name) => name.endsWith("Event") && name !== "Event");
  expect(kinds.length).toBeGreaterThan(3);
  const { Event: any } = components.schemas;
  const members = any?.anyOf?.map(({ $ref }) => $ref.replace("#/components/schemas/", ""));
  expect(members?.toSorted()).toEqual(kinds.toSorted());
  expect(read("clients/partners/types.ts")).toContain('export type WebhookEvent = Schemas["Event"];');
});
