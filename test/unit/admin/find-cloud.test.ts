import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { cloudOf } from "../../../infra/operator/common/cloud.ts";
import { findCloud } from "../../../infra/operator/admin/find-cloud.ts";

const tables =
  "DefaultEndpointsProtocol=https;AccountName=payments;AccountKey=c2VjcmV0;EndpointSuffix=core.windows.net";
const serviceBus = "Endpoint=sb://payments.servicebus.windows.net/;SharedAccessKeyName=Root;SharedAccessKey=c2VjcmV0";
const both = { TABLES_CONNECTION: tables, SERVICE_BUS_CONNECTION: serviceBus };

let folder: string;
beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), "clouds-"))));
afterEach(() => rm(folder, { recursive: true, force: true }));

async function clouds(content: unknown): Promise<string> {
  const path = join(folder, "clouds.json");
  await writeFile(path, typeof content === "string" ? content : JSON.stringify(content));
  return path;
}

const production = {
  tablesEndpoint: "https://payments.table.core.windows.net",
  serviceBusNamespace: "payments.servicebus.windows.net",
};

describe("an operator's cloud", () => {
  it("is named by both settings, with the peppers of the environment", async () => {
    const peppers = { p1: "0123456789abcdef0123456789abcdef" };
    const env = { ...both, KEY_PEPPERS: JSON.stringify(peppers) };
    expect(await findCloud(env)).toEqual({ tables, serviceBus, peppers, isLocal: false, around: {} });
  });

  it.each([{ TABLES_CONNECTION: tables }, { SERVICE_BUS_CONNECTION: serviceBus }])(
    "is not guessed if one of them is missing",
    async (env) => {
      await expect(findCloud(env)).rejects.toThrow(/^These settings do not name a cloud: \w+_CONNECTION: is missing/);
      await expect(findCloud(env)).rejects.not.toThrow("c2VjcmV0");
    },
  );

  it("is named by the app's settings, with the operator's own identity instead of the app's", async () => {
    const names = {
      TABLES_CONNECTION__accountName: "payments",
      SERVICE_BUS_CONNECTION__fullyQualifiedNamespace: "payments.servicebus.windows.net",
    };
    const cloud = await findCloud(names);
    expect(cloud).toMatchObject({
      tables: { endpoint: "https://payments.table.core.windows.net" },
      serviceBus: { namespace: "payments.servicebus.windows.net" },
      isLocal: false,
    });
    await expect(findCloud({ ...names, TABLES_CONNECTION: "" })).rejects.toThrow("TABLES_CONNECTION: is empty");
    await expect(findCloud(names, { cloud: "production" })).rejects.toThrow("Name the cloud in only one way");
  });

  it.each([
    [both, { stack: "stack.json" }, "Name the cloud in only one way: --stack or TABLES_CONNECTION"],
    [{ TABLES_CONNECTION: tables }, { stack: "stack.json" }, "in only one way"],
    [both, { cloud: "production" }, "Name the cloud in only one way: --cloud or TABLES_CONNECTION"],
    [{}, { stack: "stack.json", cloud: "production" }, "Name the cloud in only one way: --stack or --cloud"],
    [{}, { clouds: "clouds.json" }, "--clouds needs --cloud <name>."],
  ])("is named in only one way: %#", async (env, named, sentence) => {
    await expect(findCloud(env, named)).rejects.toThrow(sentence);
  });

  it("is not guessed if the named stack does not exist: other ways are offered", async () => {
    await expect(findCloud({}, { stack: "nowhere.json" })).rejects.toThrow(
      /not a readable stack file.*\nOr name a cloud: --cloud/,
    );
  });

  it("is a cloud of the clouds file, with the operator's own identity", async () => {
    const path = await clouds({ production: { ...production, resourceGroup: "payments", keyVault: "payments-keys" } });
    const cloud = await findCloud({}, { cloud: "production", clouds: path });
    expect(cloud).toMatchObject({
      tables: { endpoint: production.tablesEndpoint },
      serviceBus: { namespace: production.serviceBusNamespace },
      isLocal: false,
      around: { resourceGroup: "payments", keyVault: "payments-keys" },
    });
    expect(cloudOf(cloud)).toBe(
      "the tables of https://payments.table.core.windows.net and the Service Bus payments.servicebus.windows.net",
    );
  });

  it.each([
    [{ production }, "test", /There is no cloud test in .*clouds\.json; it has production\./],
    [{ production }, "constructor", /There is no cloud constructor/],
    ["no JSON", "production", /clouds\.json is not JSON\./],
    [
      { production: { ...production, sharedAccessKey: "c2VjcmV0" } },
      "production",
      /production must not have sharedAccessKey\.$/,
    ],
    [
      { production: { ...production, tablesEndpoint: tables } },
      "production",
      /production\.tablesEndpoint must be like/,
    ],
    [
      { production: { ...production, tablesEndpoint: `${production.tablesEndpoint}/?sig=c2VjcmV0` } },
      "production",
      /without a signature/,
    ],
    [{ production: { ...production, serviceBusNamespace: serviceBus } }, "production", /without a key/],
    [{ production: { ...production, keyVault: "c2VjcmV0=" } }, "production", /keyVault must be the name of a resource/],
  ])("is refused if the clouds file does not name it, or holds a secret: %#", async (content, cloud, sentence) => {
    const refused = findCloud({}, { cloud, clouds: await clouds(content) });
    await expect(refused).rejects.toThrow(sentence);
    await expect(refused).rejects.not.toThrow("c2VjcmV0");
  });

  it("needs a clouds file, or is not found", async () => {
    await expect(findCloud({}, { cloud: "production", clouds: join(folder, "none.json") })).rejects.toThrow(
      /There is no .*none\.json: copy clouds\.example\.json/,
    );
  });

  it("gets no secret of the demo, unless it is on this machine", async () => {
    for (const setting of ["KEY_PEPPERS", "TOKEN_CODE_KEYS", "WEBHOOK_SECRET_KEYS"]) {
      const env = { [setting]: '{"local":"demo-only-secret-of-this-demo-of-npm-start"}' };
      await expect(findCloud({ ...both, ...env })).rejects.toThrow(`${setting} holds a public key of the demo`);
      const here = {
        TABLES_CONNECTION: "UseDevelopmentStorage=true",
        SERVICE_BUS_CONNECTION: "Endpoint=sb://localhost",
      };
      expect(await findCloud({ ...here, ...env })).toMatchObject({ tables: "UseDevelopmentStorage=true" });
    }
  });

  it("has peppers that can be read; the error does not quote them", async () => {
    await expect(findCloud({ ...both, KEY_PEPPERS: "c2VjcmV0" })).rejects.toThrow(/^KEY_PEPPERS must be a JSON object/);
  });

  it("is displayed by its names, and never with its keys", () => {
    const description = cloudOf({ tables, serviceBus });
    expect(description).toBe("the tables of payments and the Service Bus payments.servicebus.windows.net");
    expect(description).not.toContain("c2VjcmV0");
    const local = `UseDevelopmentStorage=true;TableEndpoint=http://127.0.0.1:10002/devstoreaccount1;`;
    expect(cloudOf({ tables: local, serviceBus: "Endpoint=sb://localhost:5672;UseDevelopmentEmulator=true;" })).toBe(
      "the tables of http://127.0.0.1:10002/devstoreaccount1 and the Service Bus localhost:5672",
    );
  });
});
