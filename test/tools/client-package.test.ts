import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { packageVersion } from "../../infra/tools/version.ts";
import { listening } from "../../packages/local-azure/common/test/listening.ts";
import { installedPackage } from "../../packages/local-azure/common/test/installed-package.ts";
import { clientTool, hasClientTools, withoutClientTools } from "../support/client-tool.ts";
import { root } from "../support/rooms.ts";

// The clients as others install them: packed by npm, in a project outside the repository. Their dependencies are linked, so that the test
// needs no network.

const run = promisify(execFile);
const compilers = [
  { version: 5, compiler: clientTool("typescript"), without: withoutClientTools },
  { version: 7, compiler: join(root, "node_modules/typescript"), without: "" },
];

const packageIn = async (folder: string) =>
  JSON.parse(await readFile(join(folder, "package.json"), "utf8")) as { readonly version: string };

interface Packed {
  readonly client: string;
  /** A module of a project that uses the client. */
  readonly shop: string;
  /** The imported name, and an expression that rejects if no server listens. */
  readonly call: readonly [name: string, expression: string];
}

const partners: Packed = {
  client: "partners",
  shop: `import { partnersClient, verifyWebhook, type WebhookEvent } from "terminal-payments-partners-client";
const partners = partnersClient({ baseUrl: "https://gateway.example.com", apikey: "a", subscriptionKey: "b" });
export const asked = (id: string) => partners.payments.request({ sessionID: id, merchantID: id, pointOfServiceID: id, totalAmountInclVat: 1, currency: "SEK" });
export function taken(event: WebhookEvent): string {
  if (event.type === "settlement.closed") return event.data.date;
  return event.type === "actionRequest.created" ? event.data.actionCode : event.id;
}
export const event = (body: Uint8Array, request: Request) => verifyWebhook(body, request.headers, ["whsec_"]);
// @ts-expect-error a refund without a name cannot be repeated safely
export const nameless = () => partners.payments.refund({ sessionID: "", pointOfServiceID: "", currency: "SEK", refundAmount: 1 });
// @ts-expect-error exactly one of amount, percentage and voucher
export const twice = () => partners.discounts.add({ sessionID: "", discountID: "", discountAmount: 1, voucherCode: "" });
`,
  call: [
    "partnersClient",
    'partnersClient({ baseUrl: "http://127.0.0.1:1/", apikey: "a", subscriptionKey: "b", retries: { attempts: 1 } }).payments.get("x")',
  ],
};

const consumer: Packed = {
  client: "consumer",
  shop: `import { consumerClient, PlatformProblem, type LandingPage } from "terminal-payments-consumer-client";
const consumer = consumerClient({ baseUrl: "https://gateway.example.com", user: "a", password: "b", functionKey: "c" });
const page = { landingPageID: "", productID: "", templateAccessTokenID: "" };
export const asked = () => consumer.landingPages.request({ ...page, button: 1, email: "anna@example.com" });
export const isOver = ({ status }: LandingPage): boolean => status === "expired";
export const seconds = (error: unknown) => (error instanceof PlatformProblem && error.code === "rate_limited" ? error.retryAfterSeconds : 0);
// @ts-expect-error the button says what the customer chose
export const chosen = () => consumer.landingPages.request({ ...page, email: "anna@example.com" });
// @ts-expect-error no page has such a status
export const isGone = ({ status }: LandingPage) => status === "gone";
`,
  call: [
    "consumerClient",
    'consumerClient({ baseUrl: "http://127.0.0.1:1/", user: "a", password: "b", functionKey: "c", retries: { attempts: 1 } }).landingPages.get("x")',
  ],
};

describe.each([partners, consumer])("the package of the client of the API $client", ({ client, shop, call }) => {
  const NAME = `terminal-payments-${client}-client`;
  const source = join(root, "clients", client);
  let project: string;
  let installed: string;
  let tarball: string;

  beforeAll(async () => {
    await run(process.execPath, [join(root, "infra/tools/build-package.ts")], { cwd: source });
    ({
      folder: project,
      target: installed,
      tarball,
    } = await installedPackage(join(source, "dist"), ["standardwebhooks", "@types"]));
    await writeFile(join(project, "package.json"), '{"type":"module"}');
  });
  afterAll(() => rm(project, { recursive: true, force: true }));

  it.skipIf(!hasClientTools)(`passes publint and attw${withoutClientTools}`, async () => {
    await run(process.execPath, [join(root, "clients/tools/check.js"), tarball]); // rejects with its complaints
  });

  it("holds the module, its types, README, changelog and license, and no source", async () => {
    const listed = await readdir(installed, { recursive: true });
    expect(listed).toEqual(expect.arrayContaining(["CHANGELOG.md", "LICENSE", "README.md", "index.js"]));
    expect(listed.filter((path) => path.endsWith(".ts") && !path.endsWith(".d.ts"))).toEqual([]);
  });

  it("has the version of its build, which the sources do not have, and npm would publish it", async () => {
    const { version: ofSources } = await packageIn(source);
    const { version } = await packageIn(installed);
    expect(version).toBe(await packageVersion(ofSources));
    const words = ["publish", "--dry-run", "--offline", "--json", "--tag", "test", tarball];
    const { stdout } = await run("npm", words, { shell: process.platform === "win32" });
    expect(JSON.parse(stdout)).toMatchObject({ [NAME]: { id: `${NAME}@${version}` } });
  });

  it("names itself and its version in each request", async () => {
    const { version } = await packageIn(installed);
    const seen: (string | undefined)[] = [];
    const port = await listening(
      createServer(({ headers }, response) => {
        seen.push(headers["user-agent"]);
        response.writeHead(404).end();
      }),
    );
    const calling = call[1].replace("127.0.0.1:1", `127.0.0.1:${port}`);
    await writeFile(
      join(project, "named.mjs"),
      `import { ${call[0]} } from "${NAME}";\nawait ${calling}.catch(() => {});`,
    );
    await run(process.execPath, ["named.mjs"], { cwd: project });
    expect(seen).toEqual([`${NAME}/${version}`]);
  });

  for (const { version, compiler, without } of compilers) {
    it.skipIf(without !== "")(
      `compiles with TypeScript ${version}, and refuses what the contract refuses${without}`,
      async () => {
        await writeFile(join(project, "shop.ts"), shop);
        const options = [
          "--strict",
          "--exactOptionalPropertyTypes",
          "--module",
          "nodenext",
          "--target",
          "es2024",
          "--noEmit",
        ];
        const { stdout } = await run(process.execPath, [join(compiler, "bin/tsc"), ...options, "shop.ts"], {
          cwd: project,
        }).catch((error: { stdout: string }) => error);
        expect(stdout).toBe("");
      },
    );
  }

  it.each([
    ["imported", "shop.mjs", `import { ${call[0]} } from "${NAME}";`],
    ["required", "shop.cjs", `const { ${call[0]} } = require("${NAME}");`],
  ])("runs when it is %s", async (_, file, line) => {
    await writeFile(
      join(project, file),
      `${line}\n${call[1]}.catch((error) => console.log(error.name, error.retryable));`,
    );
    const { stdout } = await run(process.execPath, [file], { cwd: project });
    expect(stdout.trim()).toBe("NoResponse true");
  });
});

describe("the version of a build", () => {
  let clone: string;
  const git = (...words: string[]) =>
    run("git", ["-c", "user.name=a", "-c", "user.email=a@example.com", ...words], { cwd: clone });

  beforeAll(async () => {
    clone = await mkdtemp(join(tmpdir(), "clone-"));
  });
  afterAll(() => rm(clone, { recursive: true, force: true }));

  it("is the package's without a clone, and at a release's tag; elsewhere it names the commit", async () => {
    expect(await packageVersion("1.2.3", clone)).toBe("1.2.3");
    await git("init", "--quiet");
    await writeFile(join(clone, "a"), "a");
    await git("add", "a");
    await git("commit", "--quiet", "--message", "a");
    const { stdout } = await git("rev-parse", "--short=12", "HEAD");
    const ofCommit = `1.2.3-dev.g${stdout.trim()}`;
    expect(await packageVersion("1.2.3", clone)).toBe(ofCommit);
    await git("tag", "tried");
    expect(await packageVersion("1.2.3", clone)).toBe(ofCommit);
    await git("tag", "v0.1.0");
    expect(await packageVersion("1.2.3", clone)).toBe("1.2.3");
    await writeFile(join(clone, "a"), "b");
    expect(await packageVersion("1.2.3", clone)).toBe(`${ofCommit}-dirty`);
  });
});
