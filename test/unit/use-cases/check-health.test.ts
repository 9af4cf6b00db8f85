import type { ServiceBusClient } from "@azure/service-bus";
import { expect, it } from "vitest";
import { healthDetail } from "../../../functions/operators/health-detail.ts";
import { settingsCheck } from "../../../shared/edge/settings/config.ts";
import { Unavailable } from "../../../shared/ports/failures.ts";
import { queuesCheck } from "../../../shared/adapters/queues/queues-check.ts";
import { eachTable } from "../../../shared/stores/stores.ts";
import { tablesCheck } from "../../../shared/adapters/tables/tables-check.ts";
import { inMemoryRows } from "../../support/in-memory-rows.ts";
import { standingClock } from "../../support/standing-clock.ts";

const start = "2026-11-21T10:00:00.000Z";

it("names exactly the tables that do not respond", async () => {
  const away = async () => Promise.reject(new Unavailable("Table Storage: 503 ServerBusy"));
  const tables = eachTable((table) => ({ ...inMemoryRows(), ...(table === "orders" && { get: away }) }));
  const clock = standingClock(start);
  const healthChecks = [tablesCheck(tables), { name: "settings", check: async () => {} } as const];
  const response = await healthDetail.handler({ clock, healthChecks, version: "1.2.3" })();
  const wrong = "Unavailable: Orders Table Storage: 503 ServerBusy";
  expect(response).toMatchObject({ status: 503, jsonBody: { status: "impaired", version: "1.2.3" } });
  expect(response.jsonBody.checks).toEqual([
    { name: "tables", isOk: false, ms: 0, wrong },
    { name: "settings", isOk: true, ms: 0 },
  ]);
});

it("waits two seconds for checks that never end, all at the same time", async () => {
  const clock = standingClock(start);
  const check = () => new Promise<never>(() => {});
  const healthChecks = [
    { name: "tables", check },
    { name: "bus", check },
  ] as const;
  const responding = healthDetail.handler({ clock, healthChecks, version: "1.2.3" })();
  await clock.pass(2_000);
  const wrong = "Unavailable: no response within 2000 ms";
  expect((await responding).jsonBody.checks).toEqual([
    { name: "tables", isOk: false, ms: 2_000, wrong },
    { name: "bus", isOk: false, ms: 2_000, wrong },
  ]);
});

it("names the queues that cannot be read, by the code of the error and not by its text", async () => {
  const closed: string[] = [];
  const createReceiver = (queue: string) => ({
    peekMessages: async () => {
      if (queue === "mails") throw Object.assign(new Error("SharedAccessKey=abc"), { code: "UnauthorizedAccess" });
    },
    close: async () => void closed.push(queue),
  });
  const client = { createReceiver } as unknown as Pick<ServiceBusClient, "createReceiver">;
  await expect(queuesCheck({ client: () => client }, ["mails", "deadlines"]).check()).rejects.toThrow(
    /^mails Error UnauthorizedAccess$/,
  );
  expect(closed.toSorted()).toEqual(["deadlines", "mails"]);
});

it.each([{}, { FUNCTIONS_REQUEST_BODY_SIZE_LIMIT: "100000000" }])(
  "names the host's own limit if it is wrong: %j",
  async (given) => {
    await expect(settingsCheck(given).check()).rejects.toThrow("FUNCTIONS_REQUEST_BODY_SIZE_LIMIT is not 65536");
    await expect(settingsCheck({ FUNCTIONS_REQUEST_BODY_SIZE_LIMIT: "65536" }).check()).resolves.toBeUndefined();
  },
);
