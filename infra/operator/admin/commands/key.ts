import { keyStatus } from "../../../../shared/domain/api-key.ts";
import { scopes, type ApiKey, type Partners, type StoredKey } from "../../../../shared/stores/partners.ts";
import {
  createKey,
  expireKey,
  revokeKey,
  rotateKey,
  type MadeKey,
} from "../../../../shared/use-cases/operator/onboarding/keys.ts";
import { keysOf } from "../../../../shared/use-cases/operator/onboarding/partners.ts";
import { command, type Group } from "../command.ts";
import { clock, connectTables, keyMaker } from "../../common/platform.ts";
import { UsageError } from "../../../tools/script.ts";
import {
  argument,
  duration,
  identifier,
  listOf,
  matching,
  moment,
  oneOf,
  option,
  plain,
  required,
  standard,
} from "../words.ts";
import { lastUseOf } from "./last-use.ts";
import { findPartner } from "./partner.ts";

const partner = required("--partner <partnerID>", "the partner that owns the key", identifier);
/** Reads the identifier of a partner's key. */
export const keyIDRead = plain(
  matching(/^[0-9a-z-]{1,64}$/i, "A keyID is the part of a key between its two underscores, such as 0f3a91c2d4e5b6a7."),
);
const keyID = argument("<keyID>", "the key, as `key list` shows it", keyIDRead);
const KEY = "0f3a91c2d4e5b6a7";
const PARTNER = "5b1f0c1e-7a55-4e0b-9a43-6d1f3a3f5a10";

/** Shown by the commands that create or end a key. */
const ONCE = "The key is not shown again.";
const SOON = "Hosts of the app cache keys for a minute. During that time, they may still accept the key.";

const create = command({
  name: "create",
  does: "creates a key for a partner's server, and shows it once",
  words: [
    partner,
    required("--scopes <scope,…>", `what the key may be used for: ${scopes.join(", ")}`, listOf(oneOf(scopes))),
    option(
      "--terminals <id,…>",
      "the only terminals that the key reaches; default: all terminals of the partner",
      listOf(identifier),
    ),
    option("--expires <moment>", "when the key expires; default: after 400 days", moment),
  ],
  examples: [
    `key create --partner ${PARTNER} --scopes payments,refunds,discounts`,
    `key create --partner ${PARTNER} --scopes payments,refunds --expires 2027-01-31T00:00:00Z`,
  ],
  writes: true,
  async run({ partner: partnerId, scopes, terminals: terminalIds, expires: expiresAt }, { connect, note }) {
    const now = clock.now();
    refusePast("--expires", expiresAt, now);
    const cloud = await connect();
    const newKeys = keyMaker(cloud);
    const { partners } = connectTables(cloud);
    if ((await findPartner(partners, partnerId)).partner.disabledAt !== undefined)
      throw new Error("The partner is disabled: run `partner enable` first.");
    await refuseForeign(partners, partnerId, terminalIds);
    const made = await createKey({ partners, newKeys }, { partnerId, scopes, terminalIds, expiresAt }, now);
    note(ONCE);
    return shownMade(made, now);
  },
});

const list = command({
  name: "list",
  does: "lists a partner's keys, the newest first, and when each was last used; never shows the keys themselves",
  words: [partner],
  columns: ["keyID", "status", "lastUsed", "expiresAt", "createdAt", "scopes", "terminals"],
  examples: [`key list --partner ${PARTNER}`],
  async run({ partner: partnerId }, { connect }) {
    const { partners } = connectTables(await connect());
    await findPartner(partners, partnerId);
    const keys = await keysOf({ partners }, partnerId);
    return Promise.all(
      keys.map(async ({ key }) => ({ ...shown(key, clock.now()), lastUsed: await lastUseOf(partners, key.keyId) })),
    );
  },
});

const rotate = command({
  name: "rotate",
  does: "creates a key with the same scopes and terminals that is valid for 400 days, shows it once, and lets the old key expire later",
  details:
    "Give the new key to the partner, who must replace the old key before it expires. `key expire` changes when it expires.",
  words: [keyID, standard("--keep <duration>", "how long the old key stays valid", duration, "7d")],
  examples: [`key rotate ${KEY}`, `key rotate ${KEY} --keep 12h`],
  writes: true,
  async run({ keyID, keep }, { connect, note }) {
    const cloud = await connect();
    const deps = { ...connectTables(cloud), newKeys: keyMaker(cloud) };
    const stored = await findKey(deps.partners, keyID);
    const now = clock.now();
    const status = keyStatus(stored.key, now);
    if (status !== "active") throw new Error(`The key is ${status}: create another with \`key create\`.`);
    const { made, old } = await rotateKey(deps, stored, { now, keepSeconds: keep });
    note(ONCE);
    return { ...shownMade(made, now), replaces: old.keyId, oldKeyEndsAt: old.expiresAt };
  },
});

const expire = command({
  name: "expire",
  does: "sets when a key expires, sooner or later than before",
  words: [keyID, required("--at <moment>", "when the key expires", moment)],
  examples: [`key expire ${KEY} --at 2027-01-31T00:00:00Z`],
  writes: true,
  async run({ keyID, at: expiresAt }, { connect, note }) {
    const now = clock.now();
    refusePast("--at", expiresAt, now);
    const { partners } = connectTables(await connect());
    const stored = await findKey(partners, keyID);
    if (stored.key.revokedAt !== undefined) throw new Error("The key is permanently revoked.");
    const ending = await expireKey({ partners }, stored, { now, expiresAt });
    note(SOON);
    return shown(ending, now);
  },
});

const revoke = command({
  name: "revoke",
  does: "revokes a key at once and permanently",
  words: [keyID],
  examples: [`key revoke ${KEY}`],
  writes: true,
  confirms: true,
  async run({ keyID }, { connect, confirm, note }) {
    const { partners } = connectTables(await connect());
    const stored = await findKey(partners, keyID);
    await confirm(`Permanently revoke the key ${keyID} of partner ${stored.key.partnerId}?`);
    const now = clock.now();
    const revoked = await revokeKey({ partners }, stored, now);
    note(SOON);
    return shown(revoked, now);
  },
});

/** The key with its partner. Throws an error for the operator if there is no such key. */
export async function findKey(partners: Partners, keyId: string): Promise<StoredKey> {
  const stored = await partners.readKey(keyId);
  if (!stored) throw new Error("There is no such key.");
  return stored;
}

function refusePast(option: string, moment: string | undefined, now: string): void {
  if (moment !== undefined && moment <= now)
    throw new UsageError(`${option} is in the past. To end a key at once, use \`key revoke\`.`);
}

/** Rejects terminals of another partner. Such a key would not reach them, so this is probably a mistake. */
async function refuseForeign(
  partners: Partners,
  partnerId: string,
  terminalIds: readonly string[] = [],
): Promise<void> {
  const own = new Set(terminalIds.length > 0 ? await partners.terminalIds(partnerId) : []);
  const foreign = terminalIds.filter((terminalId) => !own.has(terminalId));
  if (foreign.length > 0) throw new Error(`The partner has no terminal ${foreign.join(", ")}.`);
}

const shown = (key: ApiKey, now: string) => ({
  keyID: key.keyId,
  partnerID: key.partnerId,
  status: keyStatus(key, now),
  scopes: key.scopes,
  terminals: key.terminalIds,
  pepper: key.pepperId,
  expiresAt: key.expiresAt,
  revokedAt: key.revokedAt,
  createdAt: key.createdAt,
  updatedAt: key.updatedAt,
});

const shownMade = ({ key, apikey }: MadeKey, now: string) => ({ apikey, ...shown(key, now) });

export const key: Group = {
  name: "key",
  does: "the keys of partners' servers",
  commands: [create, list, rotate, expire, revoke],
};
