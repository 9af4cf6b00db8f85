import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { read } from "../../support/pages.ts";

it("the partners' client is generated from the current document (else: npm run openapi)", async () => {
  const folder = fileURLToPath(new URL("../../../clients/partners", import.meta.url));
  const options = { cwd: folder, shell: process.platform === "win32" }; // npm is a script there
  const checked = promisify(execFile)("npm", ["run", "--silent", "generate", "--", "--check"], options);
  await expect(checked).resolves.toBeDefined();
});

it("a webhook's type in the client has every event of the document", () => {
  const { components } = JSON.parse(read("docs/openapi/partners.json")) as {
    readonly components: { readonly schemas: object };
  };
  const events = Object.keys(components.schemas).filter((name) => name.endsWith("Event"));
  expect(events.length).toBeGreaterThan(3);
  const named = [...read("clients/partners/types.ts").matchAll(/Schemas\["(\w+Event)"\]/g)].map(
    ([, name = ""]) => name,
  );
  expect(named.toSorted()).toEqual(events.toSorted());
});
