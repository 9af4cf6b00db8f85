import type { Environment } from "../../infra/documents/requests/files.ts";
import { sampleIds } from "../../infra/documents/openapi/samples/sample-ids.ts";
import { fixedConsumer, fixedPartner, fixedSecrets } from "./stack/fixed-keys.ts";
import { newConsumer } from "./stack/consumer.ts";
import { fixedPorts } from "./stack/ports.ts";
import { loopback } from "./stack/stack-file.ts";

/** The fixed values of every `npm start`. Objects that the requests create get the documents' identifiers. */
export async function localEnvironment(): Promise<Environment> {
  const { apikey, merchantID, terminals } = fixedPartner;
  const { demo } = newConsumer(fixedConsumer);
  return {
    baseUrl: loopback(fixedPorts.gateway),
    apikey,
    subscriptionKey: fixedSecrets.subscriptionKey,
    basic: demo.basic,
    functionKey: fixedConsumer.functionKey,
    terminalKey: terminals.silent.terminalKey,
    ...sampleIds,
    merchantID,
    pointOfServiceID: terminals.autopilot.pointOfServiceID,
    productID: demo.productID,
    templateAccessTokenID: demo.templateAccessTokenID,
  };
}
