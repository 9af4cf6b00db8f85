import { expect } from "vitest";
import { LONG, waitFor } from "../../support/wait-for.ts";
import type { Body, Till } from "./tills.ts";

/** A payment, its progress at the export of the platform, and its further course until the platform is lost. */
interface Life {
  readonly name: string;
  readonly body?: Record<string, unknown>;
  /** The messages that are held back while the payment gets this far. */
  readonly holds: readonly string[];
  /** From the request to the export. */
  readonly before: (till: Till, body: Body) => Promise<unknown>;
  /** The last step before the export. */
  readonly last?: (till: Till, body: Body) => Promise<unknown>;
  /** The steps in the lost time. The terminal's line is open again. */
  readonly lost: (till: Till, body: Body) => Promise<unknown>;
  /** The steps that the partner repeats, because the restored platform does not know them. */
  readonly again?: (till: Till, body: Body) => Promise<unknown>;
  readonly ends: string;
  /** The merchant's money from the card in the end, in minor units. */
  readonly kept: number;
}

const refund = (name: string) => async (till: Till, body: Body) => {
  const answer = await till.partner.refund(body, 40, { refundID: name });
  expect(answer.status).toBe(202);
};
const refunded = (till: Till, { sessionID }: Body) =>
  waitFor("the refund", async () => (await till.partner.read(sessionID)).refunds, {
    ...LONG,
    until: (refunds) => refunds.some(({ status }) => status === "succeeded"),
  });
const until =
  (...states: string[]) =>
  (till: Till, { sessionID }: Body) =>
    till.partner.until(sessionID, ...states);
const then =
  (...steps: Life["before"][]): Life["before"] =>
  async (till, body) => {
    for (const step of steps) await step(till, body);
  };
const accepted =
  (call: (till: Till, body: Body) => Promise<{ readonly status: number }>): Life["before"] =>
  async (till, body) =>
    expect((await call(till, body)).status).toBeLessThan(300);
const capture = accepted((till, body) => till.partner.capture(body));
const cancel = accepted((till, body) => till.partner.cancel(body));
const hold = (type: string) => async (till: Till) => till.terminal.hold(type);
const held = (type: string) => (till: Till) =>
  waitFor(`the terminal's ${type}`, async () => till.terminal.held(), {
    ...LONG,
    until: (types) => types.includes(type),
  });

const [LATE_REFUND, OPEN_REFUND, LOST_REFUND] = [1, 2, 3].map((n) => `eeeeeeee-0000-4000-8000-00000000000${n}`) as [
  string,
  string,
  string,
];

export const lives: readonly Life[] = [
  {
    name: "pending, approved since",
    holds: ["payment"],
    before: held("payment"),
    lost: until("authorized"),
    ends: "authorized",
    kept: 0,
  },
  {
    name: "at the terminal, captured since",
    body: { captureMode: "automatic" },
    holds: ["authorized"],
    before: then(until("inProgress"), held("authorized")),
    lost: until("captured"),
    ends: "captured",
    kept: 10_000,
  },
  {
    name: "authorized, captured and refunded since",
    holds: [],
    before: until("authorized"),
    lost: then(capture, until("captured"), refund(LATE_REFUND), refunded),
    again: then(until("captured"), refund(LATE_REFUND), refunded),
    ends: "captured",
    kept: 6_000,
  },
  {
    name: "capture requested, captured since",
    holds: ["capture"],
    before: then(until("authorized"), capture, held("capture")),
    lost: until("captured"),
    ends: "captured",
    kept: 10_000,
  },
  {
    name: "void requested and not fetched, voided since",
    holds: [],
    before: then(until("authorized"), hold("poll"), held("poll")),
    last: cancel,
    lost: until("voided"),
    ends: "voided",
    kept: 0,
  },
  {
    name: "void requested, and the terminal was away",
    holds: ["void"],
    before: then(until("authorized"), cancel, held("void")),
    lost: until("voided"),
    ends: "voided",
    kept: 0,
  },
  {
    name: "refund pending, made since",
    body: { captureMode: "automatic" },
    holds: ["refund"],
    before: then(until("captured"), refund(OPEN_REFUND), held("refund")),
    lost: refunded,
    ends: "captured",
    kept: 6_000,
  },
  {
    name: "captured, refunded since",
    body: { captureMode: "automatic" },
    holds: [],
    before: until("captured"),
    lost: then(refund(LOST_REFUND), refunded),
    again: then(refund(LOST_REFUND), refunded),
    ends: "captured",
    kept: 6_000,
  },
  {
    name: "reconciling after a cancel, voided since",
    holds: ["authorized", "cancel", "statusQuery"],
    before: then(until("inProgress"), held("authorized"), cancel, until("reconciling")),
    lost: until("voided"),
    ends: "voided",
    kept: 0,
  },
];

/** Payments in a failover. A payment without `before` is requested in the lost minutes. */
export const failoverLives: readonly (Omit<Life, "before"> & Partial<Pick<Life, "before">>)[] = [
  {
    name: "pending, fetched and captured since",
    body: { captureMode: "automatic" },
    holds: ["payment"],
    before: held("payment"),
    lost: until("captured"),
    ends: "captured",
    kept: 10_000,
  },
  {
    name: "authorized, captured since",
    holds: [],
    before: until("authorized"),
    lost: then(capture, until("captured")),
    ends: "captured",
    kept: 10_000,
  },
  {
    name: "authorized, voided since",
    holds: [],
    before: until("authorized"),
    lost: then(cancel, until("voided")),
    ends: "voided",
    kept: 0,
  },
  {
    name: "requested and captured since",
    body: { captureMode: "automatic" },
    holds: [],
    lost: until("captured"),
    ends: "captured",
    kept: 10_000,
  },
];
