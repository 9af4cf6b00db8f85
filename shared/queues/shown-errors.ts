import type { ServiceBusQueueHandler } from "@azure/functions";
import { errorAsLogged } from "../ports/logged-error.ts";

/**
 * The same worker, as the host runs it. The host writes message and stack of what a function throws into its own log and telemetry: it
 * gets no more of an error than the platform's log has.
 */
export const withShownErrors =
  (handler: ServiceBusQueueHandler): ServiceBusQueueHandler =>
  async (message, context) => {
    try {
      await handler(message, context);
    } catch (error) {
      throw errorAsLogged(error);
    }
  };
