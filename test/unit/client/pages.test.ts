import { expect, it } from "vitest";
import { demoEnv } from "../../../packages/workbench/stack/demo-env.ts";
import {
  fixedConsumer,
  fixedPartner,
  fixedSecrets,
  landingPageID,
} from "../../../packages/workbench/stack/fixed-keys.ts";
import { fixedPorts, WEBHOOK_PORT } from "../../../packages/workbench/stack/ports.ts";
import { complaintsOfCompiler } from "../../support/compiled.ts";
import { read } from "../../support/pages.ts";

it("the code on the client's pages compiles with the client", async () => {
  const blocks = ["clients/partners/README.md", "clients/consumer/README.md", "docs/integrate.md"].flatMap((page) =>
    [...read(page).matchAll(/^```ts\n([\s\S]*?)^```/gm)].map(([, code = ""]) => code),
  );
  expect(blocks.length).toBeGreaterThan(5);
  const modules = new Map(blocks.map((code, i) => [`block-${i + 1}`, code]));
  modules.set(
    "wrong",
    blocks.find((code) => code.includes("payments.get"))?.replace("payments.get", "payment.get") ?? "",
  );
  const complaints = await complaintsOfCompiler(modules);
  expect(complaints).toEqual([expect.stringMatching(/wrong\.ts.*'payment' does not exist/)]);
});

/** The settings of a file for `node --env-file`. */
const settingsIn = (file: string): unknown =>
  Object.fromEntries(
    read(file)
      .split("\n")
      .filter((line) => /^\w+=/.test(line))
      .map((line) => line.split(/=(.*)/s).slice(0, 2)),
  );

it("the sample landing page's settings are those of npm start", () => {
  const { password, functionKey, productID, templateAccessTokenID } = fixedConsumer;
  expect(settingsIn("examples/landing-page/demo.env")).toMatchObject({
    BASE_URL: `http://127.0.0.1:${fixedPorts.gateway}`,
    CONSUMER_USER: "demo",
    CONSUMER_PASSWORD: password,
    FUNCTION_KEY: functionKey,
    LANDING_PAGE_ID: landingPageID,
    PRODUCT_ID: productID,
    TEMPLATE_ID: templateAccessTokenID,
  });
});

it("the sample receiver's settings are those that npm start writes", () => {
  const demo = { ...fixedPartner, subscriptionKey: fixedSecrets.subscriptionKey };
  const baseUrl = `http://127.0.0.1:${fixedPorts.gateway}`;
  expect(read("examples/receiver/demo.env")).toBe(demoEnv({ baseUrl, demo, webhookPort: WEBHOOK_PORT }));
});
