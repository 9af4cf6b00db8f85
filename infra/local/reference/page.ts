import type { StackFile } from "../stack-file.ts";

export const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Terminal payments: reference</title>
    <link rel="icon" href="favicon-32x32.png">
    <link rel="stylesheet" href="swagger-ui.css">
  </head>
  <body style="margin: 0">
    <div id="reference"></div>
    <script src="swagger-ui-bundle.js"></script>
    <script src="swagger-ui-standalone-preset.js"></script>
    <script src="page.js"></script>
  </body>
</html>
`;

/** Swagger UI on the three documents, with the demo's keys filled in, so that "Execute" works at once. */
export function pageScript({ demo }: StackFile): string {
  const [user, password] = Buffer.from(demo.consumer.basic, "base64").toString("utf8").split(":");
  const keys = {
    apikey: demo.apikey,
    subscriptionKey: demo.subscriptionKey,
    functionKey: demo.consumer.functionKeys["landing-page-request"], // the same for both functions
    terminalKey: demo.terminals.silent.terminalKey, // the other terminal plays by itself
  };
  return `const keys = ${JSON.stringify(keys)};
const basic = ${JSON.stringify([user, password])};
const ui = SwaggerUIBundle({
  dom_id: "#reference",
  urls: [
    { name: "Partners API", url: "openapi/partners.json" },
    { name: "Consumer Web API", url: "openapi/consumer.json" },
    { name: "Terminals API", url: "openapi/terminals.json" },
  ],
  presets: [SwaggerUIBundle.presets.apis, SwaggerUIStandalonePreset],
  layout: "StandaloneLayout",
  deepLinking: true,
  tryItOutEnabled: true,
  displayRequestDuration: true,
  defaultModelsExpandDepth: 0,
  validatorUrl: null,
  onComplete() {
    for (const [scheme, key] of Object.entries(keys)) ui.preauthorizeApiKey(scheme, key);
    ui.preauthorizeBasic("basic", ...basic);
  },
});
`;
}
