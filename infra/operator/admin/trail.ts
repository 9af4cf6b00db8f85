import { hostname, userInfo } from "node:os";
import * as z from "zod";
import type { OperatorAction } from "../../../shared/stores/operator-actions.ts";
import type { Cloud } from "../common/cloud.ts";
import { UsageError } from "../../tools/script.ts";
import { clock, connectTables, newId } from "../common/platform.ts";

/**
 * Records that a command is about to act. Returns a function that records how it ended and the identifiers of what it created. Throws
 * `Unavailable`.
 */
export type Trail = (cloud: Cloud, action: Pick<OperatorAction, "command" | "about">) => Promise<End>;
type End = (outcome: OperatorAction["outcome"], made: OperatorAction["about"]) => Promise<void>;

/** The trail in the cloud's own tables. An operator who cannot write to it cannot change anything. */
export const trailInTables: Trail = async (cloud, { command, about }) => {
  const { operatorActions } = connectTables(cloud);
  const action = { actionId: newId(), at: clock.now(), by: await whoActs(cloud), command, about };
  await operatorActions.save(action);
  return (outcome, made) => operatorActions.save({ ...action, about: { ...about, ...made }, outcome });
};

/**
 * Runs a command. Records it when it connects, and again when it ends. If the end cannot be recorded, the command still succeeds: its
 * result may be a key that is shown only once.
 */
export async function recordedRun<Result>(
  { trail, note }: { readonly trail?: Trail | undefined; readonly note: (line: string) => void },
  action: Pick<OperatorAction, "command" | "about">,
  run: (begin: (cloud: Cloud) => Promise<void>) => Promise<Result>,
): Promise<Result> {
  let end: End | undefined;
  const ended: End = async (outcome, made) => {
    await end?.(outcome, made).catch(() =>
      note("The outcome could not be recorded: `audit list` shows that the command broke off."),
    );
  };
  try {
    const result = await run(async (cloud) => void (end = await trail?.(cloud, action)));
    await ended("done", madeIn(result, action));
    return result;
  } catch (error) {
    await ended("failed", {});
    throw error;
  }
}

/** The names in results of the objects that a command may create. */
const makes = ["partnerID", "keyID", "pointOfServiceID", "templateAccessTokenID"];

/** The identifiers in a result that the command line did not name. */
function madeIn(result: unknown, { about }: Pick<OperatorAction, "about">): OperatorAction["about"] {
  const members = Object(result) as Readonly<Record<string, unknown>>;
  const made = makes.flatMap((name) => {
    const value = members[name];
    const isNew = typeof value === "string" && about[name]?.toLowerCase() !== value.toLowerCase();
    return isNew ? [[`new ${name}`, value] as const] : [];
  });
  return Object.fromEntries(made);
}

const claims = z.object({ oid: z.string(), upn: z.string().optional() });

/** The user and machine, as the machine reports them, and the identity in the token that the cloud issued. */
export async function whoActs(cloud: Pick<Cloud, "tables">): Promise<string> {
  const local = `${userName()} on ${hostname()}`;
  const identity = await identityOf(cloud);
  return identity === undefined ? local : `${local}, ${identity}`;
}

/**
 * The operator who decides, as a payment or an alert stores it: the identity in the token that the cloud issued. Only a cloud without
 * identities accepts the operator's own statement, `--by`.
 */
export async function whoDecides(cloud: Pick<Cloud, "tables">, by: string | undefined): Promise<string> {
  const identity = await identityOf(cloud);
  if (identity === undefined && by === undefined) throw new UsageError("Say who decides: --by <who>.");
  if (identity !== undefined && by !== undefined)
    throw new UsageError(`Leave --by out: this cloud knows your identity, ${identity}.`);
  return identity ?? by ?? "";
}

/** `ada@example.com, identity <object identifier>`. The issuer defines the form of a token, so an unreadable token is not an error. */
async function identityOf({ tables }: Pick<Cloud, "tables">): Promise<string | undefined> {
  if (typeof tables === "string") return undefined;
  const issued = await tables.credential.getToken("https://storage.azure.com/.default");
  const [, payload = ""] = (issued?.token ?? "").split(".");
  try {
    const { oid, upn } = claims.parse(JSON.parse(Buffer.from(payload, "base64url").toString("utf8")));
    return upn === undefined ? `identity ${oid}` : `${upn}, identity ${oid}`;
  } catch {
    return undefined;
  }
}

/** A container may run under a user number that has no name. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return "an unnamed user";
  }
}
