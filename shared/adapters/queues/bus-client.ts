import { ServiceBusClient, type ServiceBusClientOptions, type TokenCredential } from "@azure/service-bus";

/** The namespace of the queues: a connection string, or the namespace's name and the credential of an identity. */
export type BusNamespace = string | { readonly namespace: string; readonly credential: TokenCredential };

/** A client of the namespace. It connects when it is first used. */
export const busClient = (bus: BusNamespace, options: ServiceBusClientOptions): ServiceBusClient =>
  typeof bus === "string"
    ? new ServiceBusClient(bus, options)
    : new ServiceBusClient(bus.namespace, bus.credential, options);
