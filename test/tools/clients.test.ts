import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { hasClientTools, withoutClientTools } from "../support/client-tool.ts";
import { root } from "../support/rooms.ts";

it.skipIf(!hasClientTools)(
  `the clients' types are those of the current documents (else: npm run clients)${withoutClientTools}`,
  async () => {
    const generator = join(root, "infra/documents/openapi/write-clients.ts");
    await expect(promisify(execFile)(process.execPath, [generator, "--check"])).resolves.toBeDefined();
  },
);
