import { randomUUID } from "node:crypto";
import { newKeys } from "../../infra/operator/common/new-keys.ts";
import type { DemoTerminal } from "../../infra/operator/common/seed.ts";
import type { Stack } from "../../packages/workbench/stack/stack.ts";
import { terminalClient, type TerminalClient } from "../../packages/terminal/simulated/terminal-client.ts";
import { tablePorts } from "../../shared/stores/stores.ts";
import { azureTables } from "../../shared/adapters/tables/azure-tables.ts";
import { registerTerminal } from "../../shared/use-cases/operator/onboarding/terminals.ts";
import { partnerOn } from "../support/partner.ts";

type Partner = ReturnType<typeof partnerOn>;
export type PaymentBody = ReturnType<Partner["request"]>;

/** A partner on the stack, and a way to give it one more terminal. */
async function aPartner(stack: Stack) {
  const partner = partnerOn(stack.file, await stack.addPartner({ withoutAutopilot: true }));
  return { partner, free: [partner.partner.terminals.silent] };
}

/** Registers one more terminal of a partner. */
async function anotherTerminal(stack: Stack, { partner: { partnerID, merchantID } }: Partner): Promise<DemoTerminal> {
  const pointOfServiceID = randomUUID();
  const deps = { ...tablePorts(azureTables(stack.file.tables)), newKeys: newKeys(stack.file.peppers) };
  const terminal = { idAsReceived: pointOfServiceID, partnerId: partnerID, merchantId: merchantID, name: "Till" };
  const registered = await registerTerminal(deps, { ...terminal, strictOrders: false }, new Date().toISOString());
  if (!registered) throw new Error(`the terminal ${pointOfServiceID} is registered already`);
  return { pointOfServiceID, terminalKey: registered.terminalKey };
}

/** A terminal with its partner, and the address of the partner's webhooks. */
export interface Till {
  readonly partner: Partner;
  readonly pointOfServiceID: string;
  readonly client: TerminalClient;
  readonly responseWebhookUrl: string;
}

/** The number of concurrent calls. A thousand at once would queue longer than a call may last. */
const AT_A_TIME = 16;
export async function together(times: number, act: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const one = async () => {
    while (next < times) await act(next++);
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, one));
}

/** This many terminals, distributed over this many partners. Each partner's webhooks go to one of the addresses. */
export async function makeTills(
  stack: Stack,
  count: number,
  partnerCount: number,
  webhookUrls: readonly string[],
): Promise<readonly Till[]> {
  const partners: Awaited<ReturnType<typeof aPartner>>[] = [];
  await together(partnerCount, async () => void partners.push(await aPartner(stack)));
  const tills: Till[] = [];
  await together(count, async (index) => {
    const number = index % partnerCount;
    const { partner, free } = partners[number] ?? (await aPartner(stack));
    const { pointOfServiceID, terminalKey } = free.pop() ?? (await anotherTerminal(stack, partner));
    const client = terminalClient({ terminalsUrl: stack.file.terminalsUrl, terminalKey });
    const responseWebhookUrl = webhookUrls[number % webhookUrls.length] ?? "";
    tills.push({ partner, pointOfServiceID, client, responseWebhookUrl });
  });
  return tills;
}
