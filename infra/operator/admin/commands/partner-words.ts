import { webhookUrlCheck } from "../../../../shared/adapters/webhooks/http-webhooks.ts";
import { UsageError } from "../../../tools/script.ts";
import type { Cloud } from "../../common/cloud.ts";
import { matching } from "../words.ts";

export const partnerName = matching(/^(?=\s*\S)[^\p{Cc}]{1,100}$/u, "A partner has a --name of up to 100 characters.");

/** Throws `UsageError` if webhooks must not go to this address. */
export function refuseWebhookUrl({ isLocal }: Pick<Cloud, "isLocal">, url: string | undefined): void {
  const wrong = url === undefined ? undefined : webhookUrlCheck({ allowLoopback: isLocal })(url);
  if (wrong) throw new UsageError(`--webhook-url ${wrong.message}.`);
}
