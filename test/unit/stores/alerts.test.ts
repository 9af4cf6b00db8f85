import { setImmediate } from "node:timers/promises";
import { expect, it } from "vitest";
import { raiseAlert } from "../../../shared/domain/alert.ts";
import { newestVersion } from "../../../shared/ports/stored-forms.ts";
import { Unavailable } from "../../../shared/ports/failures.ts";
import { alertsTable } from "../../../shared/stores/alerts.ts";
import type { Row } from "../../../shared/ports/rows.ts";
import { inMemoryRows } from "../../support/in-memory-rows.ts";

it("a list with an alert of a later version fails once, even if the tables fail meanwhile", async () => {
  const rows = inMemoryRows();
  for (const about of ["tables", "bus"]) {
    const alert = raiseAlert({ subject: { kind: "platform" }, kind: "dependencyAway", about }, undefined, {
      by: { cause: about },
      at: "2026-11-21T10:00:00.000Z",
    });
    if (alert) await alertsTable(rows).save(alert, undefined);
  }
  const asLater = (row: Row): Row => ({ ...row, columns: { ...row.columns, v: newestVersion + 1 } });
  const alerts = alertsTable({
    ...rows,
    withPrefix: async (...query) => (await rows.withPrefix(...query)).map((row, i) => (i === 1 ? asLater(row) : row)),
    get: () => Promise.reject(new Unavailable("the tables do not respond")),
  });
  const uncaught: unknown[] = [];
  const note = (reason: unknown) => void uncaught.push(reason);
  process.on("unhandledRejection", note);
  try {
    await expect(alerts.listOpen()).rejects.toThrow(Unavailable);
    await setImmediate();
    expect(uncaught).toEqual([]); // it would end the process, and all its running work
  } finally {
    process.off("unhandledRejection", note);
  }
});
