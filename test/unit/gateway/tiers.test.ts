import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { XmlDocument, XmlElement } from "libxml2-wasm";
import { describe, expect, it } from "vitest";
import { tiersOf, type Tier } from "./policy-tiers.ts";

const directory = resolve(import.meta.dirname, "../../../infra/azure/apim");
const xmlFiles = readdirSync(directory, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".xml"));
const read = (file: string) => readFileSync(join(directory, file), "utf8");

/** Elements that contain policies without being a policy. */
const frames = new Set(["policies", "inbound", "backend", "outbound", "on-error", "fragment", "when", "otherwise"]);
/** Policies that contain others. The content of all other policies is their own. */
const containers = new Set(["choose", "return-response", "retry", "limit-concurrency"]);

/** The names of a file's policies. */
function policiesIn(element: XmlElement): string[] {
  const isFrame = frames.has(element.name);
  const own = isFrame || element.name === "base" ? [] : [element.name];
  if (!isFrame && !containers.has(element.name)) return own;
  const inside: string[] = [];
  for (let node = element.firstChild; node; node = node.next) {
    if (node instanceof XmlElement) inside.push(...policiesIn(node));
  }
  return [...own, ...inside];
}

/** The policies of a file that a tier does not support, or that the table lacks. */
function refused(xml: string, tier: Tier): string[] {
  using document = XmlDocument.fromString(xml);
  return [...new Set(policiesIn(document.root))].filter((name) => !tiersOf[name]?.includes(tier));
}

const tiers = ["BasicV2", "StandardV2", "Developer"] as const;

describe.each(tiers)("the tier %s", (tier) => {
  it.each(xmlFiles)("supports every policy of %s", (file) => {
    expect(refused(read(file), tier)).toEqual([]);
  });

  it.each([
    ["of no tier", "<policies><inbound><publish-to-dapr /></inbound></policies>", "publish-to-dapr"],
    ["deep inside", '<fragment><choose><when condition="true"><invented /></when></choose></fragment>', "invented"],
  ])("would not support a policy %s", (_, xml, name) => {
    expect(refused(xml, tier)).toEqual([name]);
  });
});

it("every tier that the deployment may choose is among them", () => {
  const bicep = readFileSync(resolve(directory, "../main.bicep"), "utf8");
  const chosen = /^param gatewaySku (.+)$/m.exec(bicep)?.[1] ?? "";
  const names = [...chosen.matchAll(/'(\w+)'/g)].map(([, tier]) => tier);
  expect(names.length).toBeGreaterThan(0);
  expect(tiers).toEqual(expect.arrayContaining(names));
});

describe("the tier Consumption", () => {
  it.each(["apis/landing-page-request.xml", "apis/landing-page.xml", "apis/probes.xml", "apis/terminals.xml"])(
    "refuses %s, which counts by key",
    (file) => {
      expect(refused(read(file), "Consumption")).toEqual(["rate-limit-by-key"]);
    },
  );
});
