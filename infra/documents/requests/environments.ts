import { sampleIds } from "../openapi/samples/sample-ids.ts";
import { fixedConsumer, fixedPartner, fixedSecrets } from "../../stack/fixed-keys.ts";
import { newConsumer } from "../../stack/consumer.ts";
import { fixedPorts } from "../../stack/ports.ts";
import { loopback } from "../../stack/stack-file.ts";

/** Values by the variables that they are for. */
type Environment = Readonly<Record<string, string>>;

/** What `npm start` has at each start. What the requests create has the documents' identifiers. */
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

/** Another platform's values, which whoever uses it fills in. Identifiers too: those of the documentation are no names for real payments. */
export const blankEnvironment = (local: Environment): Environment =>
  Object.fromEntries(Object.keys(local).map((name) => [name, ""]));
