import type { StackFile } from "../../stack/stack-file.ts";
import { loopback, partnerHeaders } from "../../stack/stack-file.ts";

const id = (n: number) => `${String(n).padStart(8, "0")}-5a5a-4000-8000-000000000000`;
const gateway = loopback(7080);
const [apikey, subscriptionKey] = ["sample_01_apikey", "sample-subscription-key"];

/** The addresses and keys of a stack that does not run. */
export const sampleStack: StackFile = {
  pid: 1,
  baseUrl: gateway,
  terminalsUrl: `${gateway}/terminals`,
  functionsUrl: loopback(7071),
  tables: "",
  serviceBus: "",
  peppers: {},
  codeKeys: {},
  webhookSecretKeys: {},
  mails: `${loopback(8025)}/mails`,
  faults: loopback(7091),
  healthKey: "sample-health-key",
  demo: {
    partnerID: id(9),
    merchantID: id(10),
    apikey,
    webhookSecret: "whsec_c2FtcGxl",
    terminals: {
      autopilot: { pointOfServiceID: id(2), terminalKey: "sample-autopilot-key" },
      silent: { pointOfServiceID: id(3), terminalKey: "sample-silent-key" },
    },
    consumer: {
      basic: Buffer.from("demo:sample").toString("base64"),
      functionKeys: { "landing-page-request": "sample-function-key", "get-landing-page": "sample-function-key" },
      productID: id(12),
      templateAccessTokenID: id(11),
    },
    subscriptionKey,
    functionsKeys: { partners: "sample-partners", terminals: "sample-terminals" },
    headers: partnerHeaders(apikey, subscriptionKey),
  },
};
