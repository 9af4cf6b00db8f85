import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import project from "../../package.json" with { type: "json" };
import { endpoints } from "../../functions/endpoints.ts";
import { filesIn as files, floorsOf, importsIn, root, roomsOf, type Import } from "../support/rooms.ts";

const imports = importsIn(["functions", "shared", "infra"]);

/** Which rooms of `shared` a room may know, beside itself. */
const mayKnow: Record<string, readonly string[]> = {
  domain: [],
  ports: ["domain"],
  stores: ["domain", "ports"],
  contracts: ["domain", "ports", "stores"],
  "use-cases": ["domain", "ports", "stores", "contracts"],
  tables: ["domain", "ports", "stores"],
  queues: ["domain", "ports", "contracts", "use-cases"],
  webhooks: ["domain", "ports"],
  mails: ["domain", "ports"],
  codes: ["domain", "ports"],
  log: ["domain", "ports"],
  auth: ["domain", "ports", "stores", "contracts", "use-cases"],
  http: ["domain", "ports", "stores", "contracts", "use-cases", "auth"],
  tracing: ["domain", "ports", "stores", "queues"],
  identity: [],
  settings: ["domain", "ports", "auth"],
};
const roomOf = (file: string) => /^shared\/([^/]+)\//.exec(file)?.[1];

/** The same within `contracts`, where the elementary fields stand beside the rooms. */
const elementary = ["amount", "fields", "identifier", "values", "payment-words"];
const contractsMayKnow: Record<string, readonly string[]> = {
  fields: ["identifier", "values"],
  objects: elementary,
  requests: [...elementary, "objects"],
  events: [...elementary, "objects"],
};
const roomOfContracts = (file: string) => /^shared\/contracts\/([\w-]+)/.exec(file)?.[1];

/** The same within `domain/payment`: the record, the life of a payment, and what moves it. */
const paymentMayKnow: Record<string, readonly string[]> = {
  record: [],
  life: ["record"],
  requests: ["record", "life"],
  reports: ["record", "life", "requests"],
  operator: ["record", "life", "requests", "reports"],
};
const roomOfPayment = (file: string) => /^shared\/domain\/payment\/([^/]+)\//.exec(file)?.[1];

const offences = (wrong: (i: Import) => boolean, among = imports) =>
  among.filter(wrong).map((i) => `${i.from} imports ${i.to}`);

describe("the source tree", () => {
  it("is found by this test", () => {
    expect(imports.length).toBeGreaterThan(100);
    expect(imports).toContainEqual({ from: "functions/app.ts", to: "shared/settings/config.ts" });
  });

  it.each([
    ["shared", roomOf, mayKnow],
    ["contracts", roomOfContracts, contractsMayKnow],
    ["domain/payment", roomOfPayment, paymentMayKnow],
  ])("lets imports point one way between the rooms of %s", (_, roomOf, mayKnow) => {
    const wrong = ({ from, to }: Import) => {
      const [room, other] = [roomOf(from), roomOf(to)];
      return room !== undefined && other !== undefined && room !== other && !mayKnow[room]?.includes(other);
    };
    expect(offences(wrong)).toEqual([]);
  });

  it.each([
    "shared",
    "shared/use-cases",
    "shared/domain/payment",
    "shared/contracts",
    "shared/stores",
    "shared/tables",
    "infra",
    "infra/local",
    "test/simulation",
  ])("has no circle among the rooms of %s", (folder) => {
    const rooms = roomsOf(folder);
    expect(rooms.size).toBeGreaterThan(2);
    expect(floorsOf(rooms).circle).toEqual([]);
  });

  it("runs the operator's commands, and so the nightly export, with the packages of production alone", () => {
    const inProduction = [...Object.keys(project.dependencies), "playwright-core"]; // pictures of mails are optional
    const reached = new Set(["infra/admin/main.ts"]);
    for (const file of reached)
      for (const { from, to } of imports) if (from === file && !/^node:|[.]json$/.test(to)) reached.add(to);
    expect(reached).toContain("infra/backup/export-tables.ts");
    const packages = [...reached].filter((to) => /^(?:@[\w-]+\/)?[a-z][\w.-]+$/.test(to));
    expect(packages).toContain("commander");
    expect(packages.filter((name) => !inProduction.includes(name))).toEqual([]);
  });

  it("has no circle among the files of the product, types included", () => {
    const product = imports.filter(({ from, to }) => /^(functions|shared)\//.test(from) && to.endsWith(".ts"));
    const files = new Map<string, Set<string>>();
    for (const { from, to } of product) {
      files.set(from, (files.get(from) ?? new Set()).add(to));
      if (!files.has(to)) files.set(to, new Set());
    }
    expect(files.size).toBeGreaterThan(100);
    expect(floorsOf(files).circle).toEqual([]);
  });

  it("keeps shared from the functions, the infrastructure and the tests, and the product from the local cloud", () => {
    expect(offences(({ from, to }) => from.startsWith("shared/") && /^(functions|infra|test)\//.test(to))).toEqual([]);
    expect(offences(({ from, to }) => from.startsWith("functions/") && /^(infra|test)\//.test(to))).toEqual([]);
    expect(
      offences(({ from, to }) => from.startsWith("infra/") && to.startsWith("test/") && !isTestOfARoom(from)),
    ).toEqual([]);
  });

  it("holds in shared what the functions reach, and apart from it two rooms of operators that no function reaches", () => {
    const isOperators = (file: string) => /^shared\/(use-cases|domain\/payment)\/operator\//.test(file);
    const reached = new Set(files("functions"));
    for (const file of reached)
      for (const { from, to } of imports) if (from === file && to.startsWith("shared/")) reached.add(to);
    const shared = files("shared");
    expect(shared.filter((file) => !reached.has(file) && !isOperators(file))).toEqual([]);
    expect(shared.filter((file) => reached.has(file) && isOperators(file))).toEqual([]);
    expect(shared.filter(isOperators).length).toBeGreaterThan(20);
  });

  it("keeps the domain pure: no package but zod, in which records are written, no Node, no clock, no chance", () => {
    const isPure = (to: string) => roomOf(to) === "domain" || to === "zod";
    expect(offences(({ from, to }) => roomOf(from) === "domain" && !isPure(to))).toEqual([]);
    const impure = files("shared/domain").filter((file) =>
      /Date\.now|new Date\(\)|Math\.random|randomUUID|process\.\w/.test(readFileSync(join(root, file), "utf8")),
    );
    expect(impure).toEqual([]);
  });

  it("keeps the SDKs in their own rooms", () => {
    const home: Record<string, RegExp> = {
      "@azure/data-tables": /^shared\/tables\/|^functions\/app\.ts$|^infra\//,
      "@azure/service-bus": /^shared\/queues\/|^functions\/app\.ts$|^infra\//,
      "@azure/functions": /^shared\/(auth|http|queues|tracing)\/|^functions\/app\.ts$|^infra\//,
      "@opentelemetry/api": /^shared\/tracing\//,
      "@opentelemetry/context-async-hooks": /^shared\/tracing\/sdk\.ts$/,
      "@opentelemetry/exporter-trace-otlp-proto": /^shared\/tracing\/sdk\.ts$/,
      "@opentelemetry/resources": /^shared\/tracing\/sdk\.ts$/,
      "@opentelemetry/sdk-trace": /^shared\/tracing\/sdk\.ts$/,
      nodemailer: /^shared\/mails\//,
      "@azure/identity": /^shared\/identity\/|^infra\/(admin|azure\/hooks|local\/functions-host)\//,
      commander: /^infra\/(admin\/|script\.ts)/,
      undici: /^shared\/(tables|webhooks)\/|^infra\//,
    };
    expect(offences(({ from, to }) => home[to] !== undefined && !home[to].test(from))).toEqual([]);
  });

  it("reads the environment in one file", () => {
    const readers = ["functions", "shared"]
      .flatMap(files)
      .filter((f) => readFileSync(join(root, f), "utf8").includes("process.env"));
    expect(readers).toEqual(["functions/app.ts"]);
  });

  it("holds one function in each file of functions, named as the file", () => {
    const stems = files("functions").filter((file) => dirname(file) !== "functions"); // where the composition root is
    const named = stems.map(
      (file) => /(?:name: |queueWorker\()"([^"]+)"/.exec(readFileSync(join(root, file), "utf8"))?.[1],
    );
    expect(named).toEqual(stems.map((file) => /([^/]+)\.ts$/.exec(file)?.[1]));
  });

  it("lists every endpoint, in the folder of its API", () => {
    const listed = endpoints.map(({ contract }) => `functions/${contract.api}/${contract.name}.ts`);
    const there = files("functions").filter((file) => /^functions\/(consumer|partners|terminals)\//.test(file));
    expect(listed.toSorted()).toEqual(there.toSorted());
  });

  it("runs on Node 22 as it stands: `using` is newer, and only tests are rewritten", () => {
    const own = ["functions", "shared", "infra"].flatMap(files).filter((file) => !file.includes("/test/"));
    const newer = own.filter((file) => /\busing \w+ =|DisposableStack/.test(readFileSync(join(root, file), "utf8")));
    expect(newer).toEqual([]);
  });

  it("has no file over 250 lines in the product", () => {
    const long = ["functions", "shared"]
      .flatMap(files)
      .filter((f) => readFileSync(join(root, f), "utf8").split("\n").length > 250);
    expect(long).toEqual([]);
  });
});

/** The rooms with a door, each a product of its own: by its folder, the one file that others import. */
const doors: Readonly<Record<string, string>> = {
  "infra/local/service-bus": "infra/local/service-bus/broker.ts",
  "infra/local/functions-host": "infra/local/functions-host/host.ts",
  "infra/local/gateway": "infra/local/gateway/gateway.ts",
};
const folders = Object.keys(doors);
const folderOf = (file: string) => folders.find((folder) => file.startsWith(`${folder}/`));

/** What stands for the rooms and others alike, and imports nothing of this repository but itself. */
const isCommon = (file: string) => file.startsWith("infra/local/common/");
const isFaultOfAPart = (file: string) => /^infra\/local\/faults\/(faults|part|rule)\.ts$/.test(file);

const isTestOfARoom = (file: string) => /^infra\/local\/[\w-]+\/test\//.test(file);
/** Helpers of the product's tests that tests of rooms share, since they are too long to be written twice. */
const isSharedHelper = (file: string) =>
  /^test\/support\/(csharp|echo-backend|endless-upload|listening)\.ts$/.test(file);
const isOfThisRepository = (to: string) => /^(clients|functions|infra|shared|test)\//.test(to);

describe("a room with a door", () => {
  const everywhere = importsIn(["functions", "shared", "infra", "test"]);
  const wrong = (isWrong: (i: Import) => boolean) => offences(isWrong, everywhere);
  const leaves = ({ from, to }: Import) => isOfThisRepository(to) && folderOf(to) !== folderOf(from);

  it.each(folders)("is there, with a README, a process and tests: %s", (folder) => {
    const there = files(folder);
    expect(there).toEqual(expect.arrayContaining([doors[folder], `${folder}/main.ts`]));
    expect(readFileSync(join(root, folder, "README.md"), "utf8")).toContain("## Its door");
    expect(there.some((file) => isTestOfARoom(file))).toBe(true);
    expect(there.length).toBeGreaterThan(10);
  });

  it("imports nothing of this repository but itself and what is common to the local cloud", () => {
    const isAllowed = ({ from, to }: Import) =>
      isCommon(to) || (isFaultOfAPart(to) && folderOf(from) === "infra/local/service-bus");
    expect(
      wrong((i) => folderOf(i.from) !== undefined && !isTestOfARoom(i.from) && leaves(i) && !isAllowed(i)),
    ).toEqual([]);
  });

  it("is tested with itself, the doors of other rooms, four helpers of the product's tests and the reader of words", () => {
    const isAllowed = ({ to }: Import) =>
      isCommon(to) ||
      isFaultOfAPart(to) ||
      Object.values(doors).includes(to) ||
      isSharedHelper(to) ||
      to === "infra/script.ts";
    expect(wrong((i) => isTestOfARoom(i.from) && leaves(i) && !isAllowed(i))).toEqual([]);
  });

  it("is imported by its door alone", () => {
    const isInside = ({ to }: Import) => folderOf(to) !== undefined && !Object.values(doors).includes(to);
    expect(wrong((i) => leaves(i) && isInside(i))).toEqual([]);
  });

  it("shares with others what leads nowhere else", () => {
    const isShared = (file: string) => isCommon(file) || isFaultOfAPart(file);
    expect(wrong(({ from, to }) => isCommon(from) && isOfThisRepository(to) && !isCommon(to))).toEqual([]);
    expect(wrong(({ from, to }) => isFaultOfAPart(from) && isOfThisRepository(to) && !isShared(to))).toEqual([]);
    expect(wrong(({ from, to }) => isSharedHelper(from) && isOfThisRepository(to) && !isSharedHelper(to))).toEqual([]);
  });

  it("keeps rhea to itself: AMQP is the Service Bus's alone", () => {
    expect(wrong(({ from, to }) => /^rhea(\/|$)/.test(to) && folderOf(from) !== "infra/local/service-bus")).toEqual([]);
    expect(everywhere).toContainEqual({ from: doors["infra/local/service-bus"], to: "rhea" });
  });
});
