import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { XmlDocument, XmlElement } from "libxml2-wasm";
import { describe, expect, it } from "vitest";
import { readDeclaration } from "../../../packages/local-azure/gateway/gateway.ts";

const directory = resolve(import.meta.dirname, "../../../infra/azure/apim");
const { apis } = await readDeclaration(directory);
const read = (file: string) => readFileSync(join(directory, file), "utf8");

/**
 * By API: whether a subscription is required, and how the caller's other credentials are handled. The function checks the key of a partner
 * or terminal. The host checks the functions' key, which is a consumer's own, otherwise the gateway's.
 */
const required: Readonly<Record<string, { readonly subscription: boolean; readonly steps: readonly string[] }>> = {
  "landing-page-request": { subscription: false, steps: ["check-header x-functions-key 401"] },
  "landing-page": { subscription: false, steps: ["check-header x-functions-key 401"] },
  partners: {
    subscription: true,
    steps: ["check-header apikey 401", "set-header x-functions-key override {{partners-functions-key}}"],
  },
  terminals: {
    subscription: false,
    steps: ["check-header x-terminal-key 401", "set-header x-functions-key override {{terminals-functions-key}}"],
  },
  probes: { subscription: false, steps: ["set-header x-functions-key delete"] },
};

/** The unconditional steps of a policy file. Conditional steps are left out. */
function stepsOf(xml: string): string[] {
  const document = XmlDocument.fromString(xml); // without `using`, which Node 22 does not read
  try {
    const steps: string[] = [];
    const inbound = document.get("/policies/inbound") as XmlElement;
    for (let node = inbound.firstChild; node; node = node.next) {
      if (!(node instanceof XmlElement)) continue;
      const said = ["name", "failed-check-httpcode", "exists-action"].map((name) => node.attr(name)?.value);
      steps.push([node.name, ...said, node.content.trim()].filter(Boolean).join(" "));
    }
    return steps;
  } finally {
    document.dispose();
  }
}

/** The handling of credentials in an operation's own policy, inside its API's policy, inside the policy of all APIs. */
const credentialSteps = (operation: string, api: string): string[] =>
  [operation, api, read("global.xml")]
    .map(stepsOf)
    .reduceRight((outer, inner) => inner.flatMap((step) => (step === "base" ? outer : [step])))
    .filter((step) => /^(check-header|set-header x-functions-key)\b/.test(step));

const inApis = apis.flatMap(({ id, operations }) => operations.map((operation) => [id, operation.id] as const));
const subject = (api: string, operation: string) => ({
  api: read(`apis/${api}.xml`),
  operation: read(`policies/${operation}.xml`),
  steps: required[api]?.steps,
});

describe("the credentials of a call", () => {
  it("include a subscription if the API requires one", () => {
    const declared = apis.map(({ id, subscriptionRequired }) => [id, subscriptionRequired]);
    expect(Object.fromEntries(declared)).toEqual(
      Object.fromEntries(Object.entries(required).map(([id, { subscription }]) => [id, subscription])),
    );
  });

  it.each(inApis)("of %s are checked before %s", (...names) => {
    const { api, operation, steps } = subject(...names);
    expect(credentialSteps(operation, api)).toEqual(steps);
  });

  it.each(inApis)(
    "of %s would be missed before %s without a step, under a condition, or without the API",
    (...names) => {
      const { api, operation, steps } = subject(...names);
      const elements = api.match(
        /<check-header [^>]*\/>|<set-header name="x-functions-key"(?:[^>]*\/>|[^]*?<\/set-header>)/g,
      );
      expect(elements).toHaveLength(steps?.length ?? 0);
      for (const element of elements ?? []) {
        const conditional = `<choose><when condition="@(false)">${element}</when></choose>`;
        for (const other of ["", conditional])
          expect(credentialSteps(operation, api.replace(element, other))).not.toEqual(steps);
      }
      expect(credentialSteps(operation.replace("<base />", ""), api)).not.toEqual(steps);
    },
  );
});
