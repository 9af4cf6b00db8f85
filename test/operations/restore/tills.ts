import { expect } from "vitest";
import type { Stack } from "../../../packages/workbench/stack/stack.ts";
import type { DemoPartner } from "../../../infra/operator/common/seed.ts";
import { startHeldTerminal } from "../../support/held-terminal.ts";
import { partnerOn } from "../../support/partner.ts";
import { LONG, waitFor } from "../../support/wait-for.ts";

export type Till = Awaited<ReturnType<typeof tillsOf>>[number];
export type Body = ReturnType<Till["partner"]["request"]>;

/** Two tills of each partner, played by terminals that the test can hold. */
export async function tillsOf(stack: Stack, partner: DemoPartner) {
  const { terminalsUrl } = stack.file;
  return [partner.terminals.autopilot, partner.terminals.silent].map(({ pointOfServiceID, terminalKey }) => ({
    partner: partnerOn(stack.file, partner, LONG),
    pointOfServiceID,
    terminal: startHeldTerminal({ terminalsUrl, terminalKey }),
  }));
}

export const request = ({ partner, pointOfServiceID }: Till, more: Record<string, unknown> = {}) =>
  partner.request({ pointOfServiceID, totalAmountInclVat: 100, totalVatAmount: 20, ...more });

/** Repeats the request until the payment is accepted. A terminal that comes back counts as offline until it polls. */
export const pay = ({ partner }: Till, body: Body) =>
  waitFor("a payment that is accepted", () => partner.pay(body), { ...LONG, until: ({ status }) => status === 202 });

interface Page {
  readonly events: readonly {
    readonly id: string;
    readonly type: string;
    readonly data: { readonly sessionID?: string };
  }[];
  readonly next: string;
}

/** Reads the partner's events after this cursor, up to the end. */
export async function readEvents({ partner }: Till, after?: string) {
  const events: Page["events"][number][] = [];
  for (let next = after; ;) {
    const query = next === undefined ? "" : `?after=${next}`;
    const { status, body } = await partner.send<Page>("GET", `/events${query}`);
    expect(status).toBe(200);
    events.push(...body.events);
    if (body.next === next) return { events, next };
    next = body.next;
  }
}

/** Payments at one till, one after the other, until they are stopped. */
export function startLoad(till: Till) {
  const bodies: Body[] = [];
  const ending = new AbortController();
  const running = (async () => {
    while (!ending.signal.aborted) {
      const body = request(till, { captureMode: "automatic" });
      await pay(till, body);
      bodies.push(body);
      await till.partner.until(body.sessionID, "captured");
    }
  })();
  return {
    bodies,
    async end() {
      ending.abort();
      await running;
    },
  };
}
