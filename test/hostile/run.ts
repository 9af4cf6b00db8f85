import type { DemoPartner } from "../../infra/operator/common/seed.ts";
import type { Stack } from "../../packages/workbench/stack/stack.ts";
import type { StackFile } from "../../packages/workbench/stack/stack-file.ts";
import { partnerOn } from "../support/partner.ts";
import { seededRandom } from "../support/seeded-random.ts";
import { LONG, waitFor } from "../support/wait-for.ts";
import { complaintsAbout } from "./check.ts";
import { measureGrowth } from "./growth.ts";
import type { Options } from "./options.ts";
import { shootRaw, startSlow } from "./raw.ts";
import { draw, type Shot } from "./requests.ts";
import { countRows, differences } from "./rows.ts";
import { sender, type Sender } from "./send.ts";

const CONNECTIONS = 12;
const BATCH = 2_000;
const SLOW_CONNECTIONS = 20;
/** The time by which the server must have cut off each endless request. */
const SLOW_UNTIL_SECONDS = 40;
/** The largest share of payments that may be accepted, because the subject of a run is refusals. */
const MAX_ACCEPTED = 0.02;
/**
 * Operations that write although every request is refused. A refused report about money is stored for an operator. The first read of a
 * settlement whose day is long over closes that day.
 */
const WRITES_ALL_THE_SAME: ReadonlySet<string> = new Set(["report", "settlements", "settlement-file"]);

/** The actions and findings of a run. */
export interface Findings {
  readonly counts: Map<string, number>;
  readonly violations: Map<string, number>;
  sent: number;
  accepted: number;
  raw: number;
  seconds: number;
  growth: readonly string[];
}

/** Sends hostile requests until their number or the time is used up. Requests that must leave no rows behind go first. */
export async function run({ file: stack, addPartner }: Stack, { seed, requests, seconds }: Options): Promise<Findings> {
  const findings = emptyFindings();
  const pool = sender(stack, CONNECTIONS);
  const random = seededRandom(seed);
  const began = performance.now();
  const elapsed = () => (performance.now() - began) / 1_000;
  const goesOn = (share: number) => findings.sent < requests * share && elapsed() < seconds * share * 0.9;
  const ends = [stack.functionsUrl, stack.baseUrl].map((url) =>
    startSlow(Number(new URL(url).port), "/", SLOW_CONNECTIONS),
  );

  const refused = () =>
    drawUntil(
      () => draw({ stack, random, mayBeRight: () => false }),
      (shot) => !WRITES_ALL_THE_SAME.has(shot.target.operationId),
    );
  await bothHeardFrom(stack);
  while (goesOn(0.5)) {
    const before = await countRows(stack);
    await batch(pool, findings, Math.min(BATCH, requests), refused);
    for (const difference of differences(before, await countRows(stack)))
      violate(findings, `refused requests wrote: ${difference}`);
  }

  for (const [url, path] of [
    [stack.baseUrl, "/pos-payment-request"],
    [stack.functionsUrl, "/pos-payment-request"],
  ] as const) {
    await raw(findings, Number(new URL(url).port), path);
  }
  findings.growth = await measureGrowth(stack);

  const mayBeRight = () => findings.accepted < findings.sent * MAX_ACCEPTED;
  while (goesOn(1)) await batch(pool, findings, Math.min(500, requests), () => draw({ stack, random, mayBeRight }));
  findings.seconds = elapsed();
  await pool.close();
  for (const end of ends) {
    const cut = end();
    count(findings, "slow connections that the server cut off", cut);
    if (elapsed() > SLOW_UNTIL_SECONDS && cut < SLOW_CONNECTIONS)
      violate(findings, `${SLOW_CONNECTIONS - cut} slow connections were not cut off`);
  }
  await stillPays(stack, await addPartner()).catch((error: unknown) =>
    violate(findings, `afterwards a payment does not pass: ${String(error)}`),
  );
  return findings;
}

const emptyFindings = (): Findings => ({
  counts: new Map(),
  violations: new Map(),
  sent: 0,
  accepted: 0,
  raw: 0,
  seconds: 0,
  growth: [],
});

function drawUntil(next: () => Shot, fits: (shot: Shot) => boolean): Shot {
  for (;;) {
    const shot = next();
    if (fits(shot)) return shot;
  }
}

const add = (map: Map<string, number>, what: string, by = 1) => void map.set(what, (map.get(what) ?? 0) + by);
const violate = ({ violations }: Findings, what: string) => add(violations, what);
const count = ({ counts }: Findings, what: string, by = 1) => add(counts, what, by);

async function batch(pool: Sender, findings: Findings, size: number, next: () => Shot): Promise<void> {
  let left = size;
  const work = async () => {
    while (left-- > 0) await one(pool, findings, next());
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, work));
}

async function one(pool: Sender, findings: Findings, shot: Shot): Promise<void> {
  const { kind, way, target } = shot;
  const violation = (what: string) => `${kind} at ${way}, ${target.operationId}: ${what}`;
  findings.sent++;
  try {
    const seen = await pool.send(shot);
    count(findings, `${kind.split(" ")[0]} → ${seen.status}`);
    if (target.operationId === "pos-payment-request" && seen.status < 300) findings.accepted++;
    for (const complaint of complaintsAbout(shot, seen))
      violate(findings, violation(`${complaint} ${sample(shot, seen.body)}`));
  } catch (error) {
    violate(findings, violation(`no response: ${error instanceof Error ? error.message : String(error)}`));
  }
}

/** The first of each violation shows request and response, with its marker as a detail. */
const sample = ({ path, body = "", marker }: Shot, answered: string): string =>
  process.env["HOSTILE_SAMPLES"] === undefined
    ? ""
    : `| ${path} ${String(body).slice(0, 300)} | ${answered.slice(0, 300)} | ${marker}`;

async function raw(findings: Findings, port: number, path: string): Promise<void> {
  for (const { name, statuses, isHanging } of await shootRaw(port, path)) {
    findings.raw++;
    count(findings, `raw → ${statuses.join("+") || "closed"}`);
    if (isHanging) violate(findings, `raw ${name} at port ${port}: neither a response nor a close`);
    const wrong = statuses.filter((status) => status >= 500 || status < 400);
    if (wrong.length > 0) violate(findings, `raw ${name}: the response was ${wrong.join("+")}`);
  }
}

/** Creates the row with the time of a terminal's last contact, which exists from its first call on. */
async function bothHeardFrom(stack: StackFile): Promise<void> {
  const { silent, status } = partnerOn(stack, stack.demo);
  await silent.online();
  const { pointOfServiceID } = stack.demo.terminals.autopilot;
  const seen = () => status(pointOfServiceID);
  await waitFor("the autopilot's first call", seen, { ...LONG, until: ({ online }) => online });
}

/** Checks that an honest partner's payment passes. */
async function stillPays(stack: StackFile, honest: DemoPartner): Promise<void> {
  const partner = partnerOn(stack, honest, LONG);
  const body = partner.onAutopilot();
  // Repeats until its terminal, which is new too, has polled.
  const pay = () => partner.pay(body);
  await waitFor("a payment that is accepted", pay, { ...LONG, until: ({ status }) => status === 202 });
  await partner.until(body.sessionID, "authorized");
}
