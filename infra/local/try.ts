import { samplePayment } from "./first-payment.ts";
import { findStack, stackOption } from "./directories.ts";
import type { StackFile } from "./stack-file.ts";

// `npm run try -- [--stack <file>] [amount]`: one payment request to the running stack, in any shell.

try {
  const { stack, words } = stackOption(process.argv.slice(2));
  process.exitCode = await tryOnce(await findStack(stack), Number(words[0] ?? 125.5));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

/** Resolves with the exit code. */
async function tryOnce(file: StackFile, amount: number): Promise<number> {
  const { responseWebhookUrl: _, ...body } = samplePayment(file, amount);
  const request = { method: "POST", headers: file.demo.headers, body: JSON.stringify(body) };
  const response = await fetch(`${file.partnersUrl}/pos-payment-request`, request).catch(() => undefined);
  if (!response) throw new Error(`Nothing responds at ${file.partnersUrl}: start the stack with npm start.`);
  console.log(response.status, JSON.stringify(await response.json(), null, 2));
  return response.ok ? 0 : 1;
}
