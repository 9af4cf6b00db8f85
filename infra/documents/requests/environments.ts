import { sampleIds } from "../openapi/samples/sample-ids.ts";
import { fixedConsumer, fixedPartner, fixedSecrets } from "../../stack/fixed-keys.ts";
import { newConsumer } from "../../stack/consumer.ts";
import { fixedPorts } from "../../stack/ports.ts";
import { loopback } from "../../stack/stack-file.ts";

/** Values by the names of their variables. */
type Environment = Readonly<Record<string, string>>;

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

/**
 * Empty values, which the user of another platform fills in. The identifiers are empty too, because real payments must not use those of the
 * documentation.
 */
export const blankEnvironment = (local: Environment): Environment =>
  Object.fromEntries(Object.keys(local).map((name) => [name, ""]));
