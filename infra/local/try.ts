import { readFile } from "node:fs/promises";
import { samplePayment } from "./first-payment.ts";
import type { StackFile } from "./stack.ts";

// `npm run try [amount]`: one payment request to the running stack, in any shell.

const amount = Number(process.argv[2] ?? 125.5);
const file = await readFile(new URL("../../.local/stack.json", import.meta.url), "utf8").then(
  (text) => JSON.parse(text) as StackFile,
  () => undefined,
);
if (!file) {
  console.error("No stack is running here: start one with npm start, then try again in another terminal.");
  process.exit(1);
}
const { responseWebhookUrl: _, ...body } = samplePayment(file, amount);
try {
  const response = await fetch(`${file.partnersUrl}/pos-payment-request`, {
    method: "POST",
    headers: file.demo.headers,
    body: JSON.stringify(body),
  });
  console.log(response.status, JSON.stringify(await response.json(), null, 2));
  process.exitCode = response.ok ? 0 : 1;
} catch {
  console.error(`Nothing answers at ${file.partnersUrl}: start the stack with npm start.`);
  process.exitCode = 1;
}
