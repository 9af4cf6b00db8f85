import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { errorOf, MANAGEMENT, type Azure } from "./azure.ts";
import { NoRole, type Place, type Vault } from "./vault.ts";

/** Azure's built-in role `Key Vault Secrets User`. */
const SECRETS_USER = "4633458b-17de-408a-b874-0445c86b69e6";

export interface LentRight {
  /** The vault. If the deployer has no role in it, a read gives the deployer the role, and waits until it is effective. */
  readonly vault: Vault;
  /** Removes the role again, also that of an earlier run that was cut off. Rejects if a role of this run stays. */
  takeBack(): Promise<void>;
}

export interface Patience {
  /** Waits before another try. */
  readonly wait: () => Promise<void>;
  /** The tries before a role counts as not effective. */
  readonly tries: number;
}

/** Five minutes: a role takes some to become effective. */
export const PATIENCE: Patience = { wait: () => sleep(10_000), tries: 30 };

/**
 * Reads of a vault by a deployer who has no lasting role in it. An environment's administrators need none lent. The assignment's name follows
 * from vault and deployer, so there is at most one.
 */
export function lentRight(cloud: Azure, place: Place, vault: Vault, { wait, tries }: Patience): LentRight {
  let isLent = false;
  const scope = `/subscriptions/${place.subscriptionId}/resourceGroups/${place.resourceGroup}/providers/Microsoft.KeyVault/vaults/${vault.name}`;
  const assignment = (principalId: string) =>
    `${MANAGEMENT}${scope}/providers/Microsoft.Authorization/roleAssignments/${guidOf(`${scope} ${principalId}`)}?api-version=2022-04-01`;
  async function lend(): Promise<void> {
    const principalId = await cloud.deployer();
    const roleDefinitionId = `/subscriptions/${place.subscriptionId}/providers/Microsoft.Authorization/roleDefinitions/${SECRETS_USER}`;
    const body = { properties: { principalId, roleDefinitionId } };
    const response = await cloud.send({ method: "PUT", url: assignment(principalId), body });
    if (response.status !== 200 && response.status !== 201)
      throw new Error(`The deployer gets no role in the vault ${vault.name} (${errorOf(response)}).`);
    isLent = true;
  }
  return {
    vault: {
      ...vault,
      async read(secret) {
        for (let left = tries; ; left--) {
          try {
            return await vault.read(secret);
          } catch (error) {
            if (!(error instanceof NoRole) || left === 0) throw error;
            if (isLent) await wait();
            else await lend();
          }
        }
      },
    },
    async takeBack() {
      const response = await cloud.send({ method: "DELETE", url: assignment(await cloud.deployer()) });
      if (isLent && response.status !== 200 && response.status !== 204)
        throw new Error(
          `The deployer keeps the role Key Vault Secrets User in the vault ${vault.name} (${errorOf(response)}): remove it.`,
        );
    },
  };
}

/** A name for an assignment, in the form of a GUID. */
const guidOf = (text: string): string =>
  createHash("sha256")
    .update(text)
    .digest("hex")
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, "$1-$2-$3-$4-$5");
