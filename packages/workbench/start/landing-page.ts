import { consumerClient } from "../../../clients/consumer/client.ts";
import { landingPage } from "../../../examples/landing-page/landing-page.ts";
import { boundedServer } from "../../local-azure/common/bounded-server.ts";
import { loopbackOnly, namesOf, type Opening } from "../../local-azure/common/loopback-only.ts";
import { listenOnLoopback, type LoopbackServer } from "../../local-azure/common/loopback-server.ts";
import { landingPageID } from "../stack/fixed-keys.ts";
import type { StackFile } from "../stack/stack-file.ts";

/**
 * Serves the sample landing page of the demo's voucher, on loopback and where it is opened. Rejects with the error of `listen` if the port
 * is taken.
 */
export async function startLandingPage(port: number, stack: StackFile, open: Opening = {}): Promise<LoopbackServer> {
  const { basic, functionKeys, productID, templateAccessTokenID } = stack.demo.consumer;
  const [user = "", password = ""] = Buffer.from(basic, "base64").toString().split(/:(.*)/s);
  const client = consumerClient({
    baseUrl: stack.baseUrl,
    user,
    password,
    functionKey: functionKeys["landing-page-request"],
    retries: { deadlineMs: 8_000 },
  });
  const listener = landingPage({
    client,
    page: { landingPageID, productID, templateAccessTokenID },
    offer: { shop: "Demo Kiosk", amount: 50, currency: "SEK" },
    origins: ["127.0.0.1", "localhost", ...namesOf(open)].map((name) => `http://${name}:${port}`),
    now: Date.now,
    report: (sentence) => console.error(sentence),
  });
  return listenOnLoopback(boundedServer(loopbackOnly(listener, open)), port, open.host);
}
