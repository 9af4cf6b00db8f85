import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { localRequestFiles } from "../../../packages/workbench/docs.ts";
import { requestsIn } from "../../support/http-file.ts";
import { read } from "../../support/pages.ts";
import { root, withSlashes } from "../../support/rooms.ts";

it("the requests to paste are those of the documents (else: npm run docs)", async () => {
  const written = await localRequestFiles();
  const there = readdirSync(join(root, "docs/requests"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== "README.md" && !entry.name.includes(".private."))
    .map(({ parentPath, name }) => withSlashes(join(parentPath, name)).split("docs/requests/")[1] ?? "");
  expect(there.toSorted()).toEqual(Object.keys(written).toSorted());
  for (const [path, text] of Object.entries(written)) expect(read(`docs/requests/${path}`)).toBe(text);
});

it("each variable of the requests has the value of npm start, and none for another platform", () => {
  const { local, other } = JSON.parse(read("docs/requests/http-client.env.json")) as Record<
    "local" | "other",
    Record<string, string>
  >;
  const all = ["partners", "consumer", "terminals"].flatMap((api) =>
    requestsIn(read(`docs/requests/${api}.http`), local),
  );
  expect(all.length).toBeGreaterThan(15);
  expect(Object.keys(other)).toEqual(Object.keys(local));
  expect(Object.values(other).filter((value) => value !== "")).toEqual([]);
});
