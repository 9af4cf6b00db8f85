import { expect, it } from "vitest";
import { secretsInFile } from "../support/check-secrets.ts";

// Each secret is put together here, so that this file holds none.
const [privateKey, word] = ["PRIVATE KEY", "hunter3"];

it.each([
  ["an account key of Azure", `AccountKey=${"Ab1+".repeat(21)}Ab==`],
  ["a key of Service Bus", `SharedAccessKey=${"Ab1+".repeat(10)}Ab1=`],
  ["a signature of shared access", `?sv=2026-01-01&sig=${"Ab1d".repeat(11)}%3D`],
  ["a client secret of Entra ID", `"abc8Q~${"Ab1-".repeat(8)}"`],
  ["a function key", `${"Ab1-".repeat(11)}AzFu${"Ab1-".repeat(2)}==`],
  ["a webhook secret", `whsec_${"Ab1+".repeat(11)}`],
  ["an API or terminal key", `pk_${"ab12".repeat(4)}_${"ab12".repeat(12)}`],
  ["aws", `AWS_SECRET_ACCESS_KEY=${"Ab1d".repeat(10)}`],
  ["github", `ghp_${"Ab12".repeat(9)}`],
  ["a private key of an elliptic curve", `-----BEGIN ${privateKey}-----\nMC4C${"Ab1+".repeat(15)}`],
  ["privatekey", `-----BEGIN ${privateKey}-----\nMIIE${"Ab1+".repeat(40)}\n-----END ${privateKey}-----`],
  ["basicauth", `https://me:${word}@gateway.example.com`],
])("a file with %s fails npm run check", async (kind, secret) => {
  expect(await secretsInFile(`\n\n${secret}\n`)).toEqual([{ kind, line: 3 }]);
});

it("a published key stays, but not as a part of another one", async () => {
  const published = "whsec_DemoOnlyWebhookSecretOfNpmStart/////////////";
  expect(await secretsInFile(published)).toEqual([]);
  expect(await secretsInFile(`${published}A`)).toEqual([{ kind: "a webhook secret", line: 1 }]);
});
