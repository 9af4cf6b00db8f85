import { expect, it } from "vitest";
import { fixedPartner, fixedSecrets } from "../../../infra/local/fixed-keys.ts";
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

it("the sample receiver's settings are those of npm start", () => {
  const { apikey, merchantID, webhookSecret, terminals } = fixedPartner;
  const settings = read("examples/receiver/demo.env")
    .split("\n")
    .filter((line) => /^\w+=/.test(line))
    .map((line) => line.split(/=(.*)/s).slice(0, 2));
  expect(Object.fromEntries(settings)).toMatchObject({
    APIKEY: apikey,
    SUBSCRIPTION_KEY: fixedSecrets.subscriptionKey,
    MERCHANT_ID: merchantID,
    TERMINAL_ID: terminals.autopilot.pointOfServiceID,
    WEBHOOK_SECRETS: webhookSecret,
  });
});
