import { createServer } from "node:http";
import { consumerClient } from "terminal-payments-consumer-client";
import { landingPage } from "./landing-page.ts";

// The settings are those of demo.env. Password and key stay in this process: the browser gets neither.

const env = (name: string): string => process.env[name] ?? "";
const client = consumerClient({
  baseUrl: env("BASE_URL"),
  user: env("CONSUMER_USER"),
  password: env("CONSUMER_PASSWORD"),
  functionKey: env("FUNCTION_KEY"),
  retries: { deadlineMs: 8_000 }, // short, because a customer waits for it
});

const listener = landingPage({
  client,
  page: {
    landingPageID: env("LANDING_PAGE_ID"),
    productID: env("PRODUCT_ID"),
    templateAccessTokenID: env("TEMPLATE_ID"),
  },
  offer: { shop: "Demo Kiosk", amount: 50, currency: "SEK" },
  origins: env("ORIGINS").split(" "),
  addressHeader: env("ADDRESS_HEADER"),
  now: Date.now,
  report: console.error,
});

const port = Number(env("PORT"));
const server = createServer({ requestTimeout: 10_000, maxHeaderSize: 8_192 }, listener);
server.listen(port, "127.0.0.1", () => console.log(`The landing page is at http://127.0.0.1:${port}/`));
