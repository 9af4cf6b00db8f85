import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import type { DemoPartner } from "../../infra/operator/common/seed.ts";
import { startStack } from "../../packages/workbench/stack/stack.ts";
import type { StackFile } from "../../packages/workbench/stack/stack-file.ts";
import { azureTables } from "../../shared/adapters/tables/azure-tables.ts";
import { eachOf } from "../../shared/use-cases/each-of.ts";
import { forgetAnswers } from "./answers.ts";
import { searchQueues, searchTables } from "./stored-secrets.ts";
import { searchLogs } from "./secret-search.ts";
import { secretsOf } from "./secrets-of-stack.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The running stack, and partners with their own terminals, by the names of their tests. */
    readonly stack: StackFile;
    readonly partners: Readonly<Record<string, DemoPartner>>;
  }
}

/** Each file has its own partner, so that files can run in parallel. So do tests that wait for a deadline together. */
export const partnerNames = [
  "requests",
  "listing",
  "deadlines",
  "refusals",
  "cancelling",
  "capturing",
  "charges",
  "charges, void fails",
  "correcting",
  "refunding",
  "strict merchant",
  "discounts",
  "action requests",
  "action requests, bare",
  "terminals",
  "terminals, lost answers",
  "terminals, offline",
  "races",
  "ownership",
  "stranger",
  "timeline",
  "trying",
  "vouchers",
  "many terminals",
  "client",
  "events",
  "pasted requests",
  "sample receiver",
  "terminal days",
  "terminal days, lying",
  "settlements",
  "tips",
  "contract",
  "catching up",
  "unreadable reports",
  "unreadable headers",
  "hostile texts",
  "waiting messages",
  "webhook test",
] as const;
export type PartnerName = (typeof partnerNames)[number];

/** Deadlines that are short enough for tests. Payments without an expiry have six seconds. */
const shortDeadlines = {
  ACCEPTANCE_SECONDS: "4",
  EXPIRY_SECONDS: "6",
  ANSWER_SECONDS: "3",
  OUTCOME_SECONDS: "4",
  RETRY_VOID_SECONDS: "5",
  LEASE_SECONDS: "2",
  DAY_GRACE_SECONDS: "2",
  HEARTBEAT_SECONDS: "2",
  OFFLINE_AFTER_SECONDS: "8",
};

/** One stack for all black-box tests. With `SCALE_GROUPS=true` in the environment, each queue's function has a host of its own. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  forgetAnswers();
  const directory = await mkdtemp(join(tmpdir(), "e2e-"));
  const scaleGroups = process.env["SCALE_GROUPS"] === "true";
  const stack = await startStack({ ports: "free", directory, settings: shortDeadlines, paceMs: 20, scaleGroups });
  // A few at a time. On a busy machine, calls of the tables would time out if all were made at once.
  const partners = await eachOf(
    partnerNames,
    async (name) => [name, await stack.addPartner({ strictOrders: name === "strict merchant" })] as const,
  );
  project.provide("stack", stack.file);
  project.provide("partners", Object.fromEntries(partners));
  return async () => {
    const secrets = await secretsOf(stack, Object.values(Object.fromEntries(partners)));
    try {
      try {
        const rows = await searchTables(azureTables(stack.file.tables), secrets);
        if (rows === 0) throw new Error("the tables held no row to search");
        await searchQueues(stack.file.serviceBus, secrets);
      } finally {
        await stack.stop();
      }
      await searchLogs(join(directory, "logs"), secrets);
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  };
}
