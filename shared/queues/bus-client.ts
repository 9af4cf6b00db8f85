import { ServiceBusClient, type ServiceBusClientOptions, type TokenCredential } from "@azure/service-bus";

/** Where the queues are: a connection string, or a namespace with the identity that gets tokens for it. */
export type BusNamespace = string | { readonly namespace: string; readonly credential: TokenCredential };

/** A client of the namespace. It connects at its first use. */
export const busClient = (bus: BusNamespace, options: ServiceBusClientOptions): ServiceBusClient =>
  typeof bus === "string"
    ? new ServiceBusClient(bus, options)
    : new ServiceBusClient(bus.namespace, bus.credential, options);
