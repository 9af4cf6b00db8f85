import type { ServiceBusQueueHandler } from "@azure/functions";
import { errorAsLogged } from "../../ports/logged-error.ts";

/**
 * Wraps a worker for the host. The host writes the message and stack of a thrown error into its own log and telemetry. It therefore gets
 * only the parts of an error that the platform's log has.
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
