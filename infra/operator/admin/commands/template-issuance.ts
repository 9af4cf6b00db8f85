import {
  mostOfLimits,
  pageCreators,
  takenOf,
  withLimits,
  type Issuance,
  type IssuanceLimits,
} from "../../../../shared/domain/issuance.ts";
import { dayOf } from "../../../../shared/domain/time.ts";
import type { StoredIssuance } from "../../../../shared/stores/access-token-templates.ts";
import type { TablePorts } from "../../../../shared/stores/stores.ts";
import { retryOnConflict } from "../../../../shared/use-cases/outbox/retry-on-conflict.ts";
import { command } from "../command.ts";
import { clock, connectTables } from "../../common/platform.ts";
import { UsageError } from "../../../tools/script.ts";
import { listOf, oneOf, option, plain } from "../words.ts";
import { userName } from "./consumer.ts";
import { templateID } from "./template-look.ts";

// Commands about the limits and users of a template.

/** A number of tokens, from 1 to the highest value of this limit. */
export const countOf = (limit: keyof IssuanceLimits) =>
  plain((typed, name) => {
    const most = mostOfLimits[limit];
    const count = Number(typed);
    if (!/^\d{1,9}$/.test(typed) || count < 1 || count > most)
      throw new UsageError(`${name} is a number from 1 to ${most}.`);
    return count;
  });

/** User names, as in `CONSUMER_CREDENTIALS`. */
export const users = listOf(plain(userName));

export const perDomainMeans =
  "the most tokens within 24 hours for the addresses of one domain; does not apply to mail providers such as gmail.com";

type Tables = Pick<TablePorts, "accessTokenTemplates">;

/** The limits and users of a template, with the API's names. */
export const shownIssuance = ({ status, mostADay, mostInAll, mostPerDomain, pages, users, reached }: Issuance) => ({
  issuing: status,
  mostADay,
  mostInAll,
  mostPerDomain,
  pagesCreatedBy: pages,
  consumerUsers: users,
  limitReached: reached && `${reached.limit === "day" ? "of the day" : "in all"}, on ${reached.on}`,
});

/** The same, with the number of issued tokens. */
export async function issued(tables: Tables, templateId: string) {
  const { issuance } = await find(tables, templateId);
  const shards = (await tables.accessTokenTemplates.shards(templateId)).map(({ shard }) => shard);
  const { takenOfDay, taken } = takenOf(shards, dayOf(clock.now()));
  return { ...shownIssuance(issuance), issuedToday: takenOfDay, issuedInAll: taken };
}

async function find({ accessTokenTemplates }: Tables, templateId: string): Promise<StoredIssuance> {
  const stored = await accessTokenTemplates.findIssuance(templateId);
  if (!stored) throw new Error("There is no such template.");
  return stored;
}

/** Changes the stored limits and users. Retries if a worker or another operator saved first. */
const change = (tables: Tables, templateId: string, changed: (issuance: Issuance) => Issuance) =>
  retryOnConflict(async () => {
    const read = await find(tables, templateId);
    const next = { ...changed(read.issuance), updatedAt: clock.now() };
    await tables.accessTokenTemplates.saveIssuance(next, read);
    return shownIssuance(next);
  });

const switching = (name: "stop" | "resume", status: Issuance["status"], does: string) =>
  command({
    name,
    does,
    words: [templateID],
    examples: [`template ${name} 0a4c7c1e-52d5-4f0e-8f5e-0f6a5b6f3d21`],
    writes: true,
    run: async ({ templateID }, { connect }) =>
      change(connectTables(await connect()), templateID, (issuance) => ({ ...issuance, status })),
  });

export const stop = switching(
  "stop",
  "stopped",
  "stops issuing tokens at once: new requests are rejected, and requests in progress end without a token",
);
export const resume = switching("resume", "active", "issues tokens again");

export const limit = command({
  name: "limit",
  does: "changes how many tokens a template may issue, from the next token on",
  words: [
    templateID,
    option("--a-day <number>", "the most tokens on one UTC day", countOf("mostADay")),
    option("--in-all <number>", "the most tokens in total, including those already issued", countOf("mostInAll")),
    option("--per-domain <number>", perDomainMeans, countOf("mostPerDomain")),
  ],
  examples: ["template limit 0a4c7c1e-52d5-4f0e-8f5e-0f6a5b6f3d21 --a-day 500 --in-all 20000"],
  writes: true,
  async run({ templateID, aDay, inAll, perDomain }, { connect }) {
    if (aDay === undefined && inAll === undefined && perDomain === undefined)
      throw new UsageError("Nothing to change: see --help.");
    const tables = connectTables(await connect());
    await retryOnConflict(async () => {
      const read = await find(tables, templateID);
      const stored = await tables.accessTokenTemplates.shards(templateID);
      const { mostADay, mostInAll, mostPerDomain } = read.issuance;
      const limits = {
        mostADay: aDay ?? mostADay,
        mostInAll: inAll ?? mostInAll,
        mostPerDomain: perDomain ?? mostPerDomain,
      };
      const now = clock.now();
      const divided = withLimits(
        stored.map(({ shard }) => shard),
        limits,
        dayOf(now),
      );
      const shards = divided.map((shard, i) => ({ shard, etag: stored[i]?.etag ?? "" }));
      const issuance = { ...read.issuance, ...limits, reached: undefined, updatedAt: now };
      await tables.accessTokenTemplates.saveIssuance(issuance, read, shards);
    });
    return issued(tables, templateID);
  },
});

export const access = command({
  name: "access",
  does: "changes which users may request tokens of a template, and who creates its landing pages",
  words: [
    templateID,
    option("--users <user,user>", "the consumer users, which replace the present ones", users),
    option("--pages <requests|operators>", "who creates its landing pages", oneOf(pageCreators)),
  ],
  examples: ["template access 0a4c7c1e-52d5-4f0e-8f5e-0f6a5b6f3d21 --users shop,kiosk --pages operators"],
  writes: true,
  async run({ templateID, ...given }, { connect }) {
    if (given.users === undefined && given.pages === undefined) throw new UsageError("Nothing to change: see --help.");
    return change(connectTables(await connect()), templateID, (issuance) => ({
      ...issuance,
      users: given.users ?? issuance.users,
      pages: given.pages ?? issuance.pages,
    }));
  },
});
