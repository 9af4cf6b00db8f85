import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { complaintsAbout } from "../../../clients/partners/check.ts";
import { root } from "../../support/rooms.ts";

// The client as partners install it: packed by npm, in a project outside the repository. Its dependencies are linked, as the network is not
// needed for a test.

const NAME = "terminal-payments-partners-client";
const run = promisify(execFile);
const client = join(root, "clients/partners");
let project: string;
let installed: string;
let tarball: Uint8Array<ArrayBuffer>;

beforeAll(async () => {
  project = await realpath(await mkdtemp(join(tmpdir(), "partner-project-")));
  const env = { ...process.env, npm_config_pack_destination: project };
  await run("npm", ["pack", "--silent"], { cwd: client, env, shell: process.platform === "win32" }); // npm is a script there
  const { version } = JSON.parse(await readFile(join(client, "package.json"), "utf8")) as { version: string };
  const packed = `${NAME}-${version}.tgz`;
  tarball = await readFile(join(project, packed));
  installed = join(project, "node_modules", NAME);
  await mkdir(installed, { recursive: true });
  await run("tar", ["-xzf", packed, "-C", installed, "--strip-components=1"], { cwd: project });
  for (const dependency of ["openapi-fetch", "openapi-typescript-helpers", "standardwebhooks", "@types"]) {
    const link = join(project, "node_modules", dependency);
    await mkdir(dirname(link), { recursive: true });
    await symlink(join(root, "node_modules", dependency), link, "junction");
  }
  await writeFile(join(project, "package.json"), '{"type":"module"}');
});
afterAll(() => rm(project, { recursive: true, force: true }));

it("has nothing that publint or attw complains of", async () => {
  expect(await complaintsAbout(tarball)).toEqual([]);
});

it("holds the module, its types, README, changelog and license, and no source", async () => {
  const listed = await readdir(installed, { recursive: true });
  expect(listed).toEqual(expect.arrayContaining(["CHANGELOG.md", "LICENSE", "README.md", join("dist", "index.js")]));
  expect(listed.filter((path) => path.endsWith(".ts") && !path.endsWith(".d.ts"))).toEqual([]);
});

it("compiles strictly in a partner's project, and refuses what the contract refuses", async () => {
  await writeFile(
    join(project, "shop.ts"),
    `import { partnersClient, verifyWebhook, type WebhookEvent } from "${NAME}";
const partners = partnersClient({ baseUrl: "https://gateway.example.com/partners", apikey: "a", subscriptionKey: "b" });
export const asked = (id: string) => partners.payments.request({ sessionID: id, merchantID: id, pointOfServiceID: id, totalAmountInclVat: 1, currency: "SEK" });
export function taken(event: WebhookEvent): string {
  return event.type === "actionRequest.created" ? event.data.actionCode : event.data.pointOfServiceID;
}
export const event = (body: Uint8Array, request: Request) => verifyWebhook(body, request.headers, ["whsec_"]);
// @ts-expect-error a refund without a name cannot be repeated safely
export const nameless = () => partners.payments.refund({ sessionID: "", pointOfServiceID: "", currency: "SEK", refundAmount: 1 });
// @ts-expect-error exactly one of amount, percentage and voucher
export const twice = () => partners.discounts.add({ sessionID: "", discountID: "", discountAmount: 1, voucherCode: "" });
`,
  );
  const compiler = join(client, "node_modules/typescript/bin/tsc");
  const options = [
    "--strict",
    "--exactOptionalPropertyTypes",
    "--module",
    "nodenext",
    "--target",
    "es2024",
    "--noEmit",
  ];
  const { stdout } = await run(process.execPath, [compiler, ...options, "shop.ts"], { cwd: project }).catch(
    (error: { stdout: string }) => error,
  );
  expect(stdout).toBe("");
});

it.each([
  ["imported", "shop.mjs", `import { partnersClient } from "${NAME}";`],
  ["required", "shop.cjs", `const { partnersClient } = require("${NAME}");`],
])("runs when it is %s", async (_, file, line) => {
  const options = '{ baseUrl: "http://127.0.0.1:1/", apikey: "a", subscriptionKey: "b", retries: { attempts: 1 } }';
  await writeFile(
    join(project, file),
    `${line}\npartnersClient(${options}).payments.get("x").catch((error) => console.log(error.name, error.retryable));`,
  );
  const { stdout } = await run(process.execPath, [file], { cwd: project });
  expect(stdout.trim()).toBe("NoResponse true");
});
