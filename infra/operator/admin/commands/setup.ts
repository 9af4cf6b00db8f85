import { createTables } from "../../common/create-tables.ts";
import { command } from "../command.ts";
import { createQueues, declaredQueues } from "../queues.ts";

export const setup = command({
  name: "setup",
  does: "creates the missing tables and queues, and says which were there",
  details:
    "You can run it again at any time. It does not change what exists, and names each queue whose settings differ from the declared ones.\nThe stack that runs here declares its queues when it starts.",
  examples: ["setup", "setup --cloud production"],
  writes: true,
  isUnrecorded: true,
  async run(_, { connect, note }) {
    const cloud = await connect();
    const tables = (await createTables(cloud.tables)).map(({ table, existed }) => ({
      kind: "table",
      name: table,
      status: existed ? "was there" : "created",
    }));
    if (cloud.isLocal) {
      note("The stack that runs here declared its queues when it started.");
      return [...tables, ...(await declaredQueues()).map(({ name }) => ({ kind: "queue", name, status: "was there" }))];
    }
    const queues = (await createQueues(cloud.serviceBus)).map(({ name, status }) => ({ kind: "queue", name, status }));
    return [...tables, ...queues];
  },
});
