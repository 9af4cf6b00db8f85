import { readdirSync } from "node:fs";
import { expect, it } from "vitest";
import { keyGroups, keySecret } from "../../../infra/azure/function-keys.ts";
import { generatedFiles } from "../../../infra/azure/platform.ts";
import { endpoints } from "../../../functions/endpoints.ts";
import { describedSettings } from "../../../shared/edge/settings/config.ts";
import { read } from "../../support/pages.ts";

const files = await generatedFiles();

it.each(Object.keys(files))("%s matches the code (else: npm run azure:generate)", (path) => {
  expect(read(path)).toBe(files[path]);
});

it("has no generated file that no generator writes", () => {
  const there = readdirSync(new URL("../../../infra/azure/generated", import.meta.url));
  expect(there.map((name) => `infra/azure/generated/${name}`).toSorted()).toEqual(Object.keys(files).toSorted());
});

it("gives every endpoint's function a key of its group, under the name that the Functions host reads", () => {
  const keyed = keyGroups.flatMap(({ functions }) => functions);
  expect(keyed.toSorted()).toEqual([...endpoints.map(({ contract }) => contract.name), "health-detail"].toSorted());
  expect(keySecret("pos-payment-request", "gateway")).toBe("function--pos-045payment-045request--gateway");
  expect(new Set(keyGroups.flatMap(({ secrets }) => secrets)).size).toBe(keyed.length);
});

it("has no secret among the settings with values in parameter files", () => {
  const types = files["infra/azure/generated/types.bicep"] ?? "";
  const named = [...types.matchAll(/^ {2}([A-Z_]+): string/gm)].map(([, name = ""]) => name);
  expect(named).toContain("MAIL_FROM");
  expect(named.filter((name) => describedSettings[name]?.meta()?.["secret"] === true)).toEqual([]);
});
