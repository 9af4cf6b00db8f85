import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import * as z from "zod";
import type { Cloud } from "../common/cloud.ts";
import { operatorsIdentity } from "./operators-identity.ts";
import { UsageError } from "../../tools/script.ts";

const beside = fileURLToPath(new URL("../../../clouds.json", import.meta.url));

/** The name of an Azure resource. A secret never matches: keys and signatures contain `=`, `/` or `+`, or are longer. */
const name = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,89}$/, "must be the name of a resource");

/** A cloud in the file. It consists of names only. */
const cloudEntry = z.strictObject({
  tablesEndpoint: z
    .string()
    .regex(/^https:\/\/[a-z0-9.-]+\/?$/, "must be like https://<account>.table.core.windows.net, without a signature"),
  serviceBusNamespace: z
    .string()
    .regex(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/, "must be like <namespace>.servicebus.windows.net, without a key"),
  resourceGroup: name.optional(),
  apiManagement: name.optional(),
  functionApp: name.optional(),
  keyVault: name.optional(),
});
const cloudsFile = z.record(z.string(), cloudEntry);

/**
 * A cloud by its name in the clouds file. The operator's own identity (for instance `az login`) gives access, so the file holds no secrets.
 * A file that holds anything but names is rejected. Errors never quote a value.
 */
export async function namedCloud(cloud: string, path = beside): Promise<Cloud> {
  const clouds = await readClouds(path);
  const found = Object.hasOwn(clouds, cloud) ? clouds[cloud] : undefined;
  if (!found) throw new UsageError(`There is no cloud ${cloud} in ${path}; it has ${Object.keys(clouds).join(", ")}.`);
  const { tablesEndpoint, serviceBusNamespace, ...around } = found;
  const credential = operatorsIdentity();
  return {
    tables: { endpoint: tablesEndpoint.replace(/\/$/, ""), credential },
    serviceBus: { namespace: serviceBusNamespace, credential },
    isLocal: false,
    around,
  };
}

async function readClouds(path: string): Promise<z.infer<typeof cloudsFile>> {
  const json = await readFile(path, "utf8").catch(() => {
    throw new UsageError(`There is no ${path}: copy clouds.example.json, or name another file with --clouds <file>.`);
  });
  try {
    return cloudsFile.parse(JSON.parse(json));
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw new UsageError(`${path} is not JSON.`);
    const wrong = error.issues.map(({ path: at, message, ...issue }) =>
      issue.code === "unrecognized_keys"
        ? `${at.join(".")} must not have ${issue.keys.join(", ")}`
        : `${at.join(".")} ${message}`,
    );
    throw new UsageError(
      `${path} is rejected, because it must hold only names of clouds, and no secrets: ${wrong.join("; ")}.`,
    );
  }
}
