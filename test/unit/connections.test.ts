import { describe, expect, it } from "vitest";
import { cloudOf, readConnections } from "../../infra/admin/connections.ts";

const tables =
  "DefaultEndpointsProtocol=https;AccountName=payments;AccountKey=c2VjcmV0;EndpointSuffix=core.windows.net";
const serviceBus = "Endpoint=sb://payments.servicebus.windows.net/;SharedAccessKeyName=Root;SharedAccessKey=c2VjcmV0";

describe("where an operator works", () => {
  it("is where both settings say", async () => {
    const env = { TABLES_CONNECTION: tables, SERVICE_BUS_CONNECTION: serviceBus };
    expect(await readConnections(env)).toEqual({ tables, serviceBus });
  });

  it.each([{ TABLES_CONNECTION: tables }, { SERVICE_BUS_CONNECTION: serviceBus }])(
    "is not guessed where one of them is missing",
    async (env) => {
      await expect(readConnections(env)).rejects.toThrow("Set both");
    },
  );

  it.each([{ TABLES_CONNECTION: tables }, { TABLES_CONNECTION: tables, SERVICE_BUS_CONNECTION: serviceBus }])(
    "is not a stack that is named while settings name another cloud",
    async (env) => {
      await expect(readConnections(env, "stack.json")).rejects.toThrow("not both");
    },
  );

  it("is not guessed where the stack that is named is not there: the settings are offered", async () => {
    await expect(readConnections({}, "nowhere.json")).rejects.toThrow(/no stack file.*\nOr set TABLES_CONNECTION/);
  });

  it("is told by its names, and never with its keys", () => {
    const description = cloudOf({ tables, serviceBus });
    expect(description).toBe("the tables of payments and the Service Bus payments.servicebus.windows.net");
    expect(description).not.toContain("c2VjcmV0");
    const local = `UseDevelopmentStorage=true;TableEndpoint=http://127.0.0.1:10002/devstoreaccount1;`;
    expect(cloudOf({ tables: local, serviceBus: "Endpoint=sb://localhost:5672;UseDevelopmentEmulator=true;" })).toBe(
      "the tables of http://127.0.0.1:10002/devstoreaccount1 and the Service Bus localhost:5672",
    );
  });
});
