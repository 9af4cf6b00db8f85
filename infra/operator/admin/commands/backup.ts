import { tableNames } from "../../../../shared/stores/table-names.ts";
import { azureTables } from "../../../../shared/adapters/tables/azure-tables.ts";
import { standardTimings } from "../../../../shared/domain/timings.ts";
import { DamagedExport } from "../../backup/damage.ts";
import { exportTables } from "../../backup/export-tables.ts";
import { exportFolder, importFolder } from "../../backup/folder.ts";
import { importTables } from "../../backup/import-tables.ts";
import { exportedTables } from "../../backup/table-order.ts";
import { cloudOf } from "../../common/cloud.ts";
import { command } from "../command.ts";
import { noLog, operatorCall } from "../../common/platform.ts";
import { argument, listOf, matching, option, plain, text } from "../words.ts";

const folder = argument("<folder>", "the folder of the export", text);

const damagedPayment = plain(
  matching(
    /^[\w.:!-]+~[\w.:!-]+$/,
    "--without takes payments as an import names them: <terminalID>~<sessionID>, separated by commas.",
  ),
);

export const exportAll = command({
  name: "export",
  does: "writes every table into a folder while the platform runs; an interrupted export continues if you run it again. The folder is as secret as the tables. If rows are damaged, the export is finished, names them, and ends with exit code 2",
  words: [folder],
  examples: ["export /backups/2026-11-21"],
  async run({ folder: path }, { connect }) {
    const cloud = await connect();
    const { begunAt, endedAt, tables, payments, damaged } = await exportTables(
      azureTables(cloud.tables),
      await exportFolder(path),
      operatorCall(),
    );
    if (damaged.length > 0) throw new DamagedExport(path, damaged);
    return {
      folder: path,
      begunAt,
      endedAt,
      rows: Object.fromEntries(exportedTables.map((table) => [tableNames[table], tables[table]?.rows])),
      payments: payments.byStatus,
    };
  },
});

export const importAll = command({
  name: "import",
  does: "writes an export into empty tables while the platform is stopped, and puts a status query for each payment with open money first into its terminal's inbox",
  words: [
    folder,
    option(
      "--without <payments>",
      "damaged payments to leave out, as an import names them, separated by commas: their sessions get 409, and an alert is raised for each",
      listOf(damagedPayment),
    ),
  ],
  examples: ["import /backups/2026-11-21"],
  writes: true,
  confirms: true,
  async run({ folder: path, without }, { connect, confirm, note }) {
    const cloud = await connect();
    const where = cloudOf(cloud);
    const source = await importFolder(path, where);
    note("Before the import, stop the app and run `setup`.");
    await confirm(`Import the export of ${source.manifest.begunAt} into ${where}?`);
    const deps = { tables: azureTables(cloud.tables), timings: standardTimings, log: noLog };
    const { rows, queried, leftOut } = await importTables(deps, source, operatorCall(), new Set(without));
    note("Next, run `repair --all --tables-are-current`, and then start the app.");
    return { rows, paymentsQueriedFirst: queried, ...(leftOut.length > 0 && { leftOut }) };
  },
});
