import { createServer } from "node:http";
import { landingPage } from "../../../../examples/landing-page/landing-page.ts";
import { listenOnLoopback, type LoopbackServer } from "../../../local-azure/common/loopback-server.ts";
import { sampleStack } from "./sample-stack.ts";

/** The sample landing page without a stack. Its platform accepts every request. */
export async function sampleOffer(): Promise<LoopbackServer> {
  const server = createServer();
  const listening = await listenOnLoopback(server, 0);
  const { productID, templateAccessTokenID } = sampleStack.demo.consumer;
  const page = { landingPageID: productID, productID, templateAccessTokenID };
  server.on(
    "request",
    landingPage({
      client: {
        landingPages: {
          get: async () => ({ ...page, name: "Demo Kiosk", status: "active", buttons: [], requests: [] }),
          request: async () => ({ ...page, requestID: productID, status: "received" }),
        },
      },
      page,
      offer: { shop: "Demo Kiosk", amount: 50, currency: "SEK" },
      origins: [new URL(listening.url).origin],
      now: Date.now,
      report: console.error,
    }),
  );
  return listening;
}
