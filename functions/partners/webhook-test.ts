import { toWebhookTestObject, webhookTestObject } from "../../shared/contracts/objects/webhook-test.ts";
import { webhookTestBody } from "../../shared/contracts/requests/webhook-test.ts";
import { partner } from "../../shared/edge/auth/authenticate.ts";
import { optionalBody, success } from "../../shared/edge/http/contract.ts";
import { defineEndpoint } from "../../shared/edge/http/define-endpoint.ts";
import { refusal, respond } from "../../shared/edge/http/response.ts";
import { testWebhook, type TestWebhookDeps } from "../../shared/use-cases/webhooks/test-webhook.ts";

export const webhookTest = defineEndpoint({
  auth: partner("payments"),
  name: "webhook-test",
  method: "POST",
  route: "webhook-test",
  summary: "Test Webhooks",
  description:
    "Sends a signed event `webhook.test` to your server, once, and responds with what happened. Your server has 2.5 seconds. You can send ten an hour.",
  body: optionalBody(webhookTestBody),
  successes: { 200: success("The result of the test.", webhookTestObject) },
  problems: ["no_webhook_url"],
  waitsSeconds: 3, // half a second for a permit, and the attempt
  handle: async (deps: TestWebhookDeps, call) => {
    const tested = await testWebhook(deps, call, call.body.url);
    return tested.ok ? respond(200, toWebhookTestObject(tested.value)) : refusal(tested.error);
  },
});
