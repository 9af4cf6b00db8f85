import { isRetentionKind, retentionKinds, type RetentionKind } from "../../../../shared/domain/retention.ts";
import {
  checkedDays,
  planPurge,
  purge as remove,
  type PurgeOrder,
} from "../../../../shared/use-cases/operator/retention/purge.ts";
import { cloudOf } from "../../common/cloud.ts";
import { command, progressIn } from "../command.ts";
import { connectTables, operatorCall } from "../../common/platform.ts";
import { UsageError } from "../../../tools/script.ts";
import { flag, numberMatching, oneOf, option } from "../words.ts";

const age = numberMatching(/^\d{1,5}$/, "--older-than takes a number of days, such as 60.");

export const purge = command({
  name: "purge",
  does: "permanently removes records whose retention time is over, after a confirmation: see docs/tables.md, Rows leave",
  words: [
    option("--kind <kind>", `only this kind: ${retentionKinds.join(", ")}`, oneOf(retentionKinds)),
    option("--older-than <days>", "how old records of --kind must be; default: the standard age of the kind", age),
    flag("--dry-run", "only count, from the marks of the days, how many records would be removed at most"),
  ],
  examples: ["purge --dry-run", "purge --yes", "purge --kind events --older-than 60"],
  writes: true,
  confirms: true,
  async run({ kind, olderThan: days, dryRun }, { connect, confirm, note }) {
    const orders = ordersOf(kind, days);
    const cloud = await connect();
    const ports = connectTables(cloud);
    const call = { ...operatorCall(), onProgress: progressIn({ note }) };
    const plans = [];
    for (const order of orders) plans.push(await planPurge(ports, call, order));
    if (dryRun) return plans.map(({ days, ...plan }) => ({ ...plan, olderThanDays: days }));
    const named = plans.reduce((sum, { atMost }) => sum + atMost, 0);
    if (named > 0) await confirm(`Permanently remove up to ${counted(named)} on ${cloudOf(cloud)}?`);
    const purged = [];
    for (const { kind, days } of plans) purged.push(await remove(ports, call, { kind, days }));
    return purged.map(({ kind, days, before, removed, rows, stay }) => ({
      kind,
      before,
      removed,
      rows,
      stay,
      olderThanDays: days,
    }));
  },
});

function ordersOf(kind: RetentionKind | undefined, days: number | undefined): PurgeOrder[] {
  if (kind === undefined && days !== undefined) throw new UsageError("--older-than needs one --kind.");
  const kinds = kind === undefined ? retentionKinds : [kind].filter(isRetentionKind);
  try {
    return kinds.map((each) => ({ kind: each, days: checkedDays(each, days) }));
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

const counted = (subjects: number): string => (subjects === 1 ? "1 record" : `${subjects} records`);
