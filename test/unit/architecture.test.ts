import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import operatorsPackage from "../../infra/operator/package.json" with { type: "json" };
import terminalsPackage from "../../packages/terminal/package.json" with { type: "json" };
import project from "../../package.json" with { type: "json" };
import { endpoints } from "../../functions/endpoints.ts";
import { filesIn as files, floorsOf, importsIn, root, roomsOf, type Import } from "../support/rooms.ts";

const isProof = ({ from }: Import) => from.startsWith("test/") || from.includes("/test/");
const everywhere = importsIn(["clients", "examples", "functions", "shared", "infra", "packages", "test"]);
const imports = everywhere.filter((one) => !isProof(one));

/** The rooms of `infra` that a room may import, in addition to itself. */
const infraMayKnow: Record<string, readonly string[]> = {
  tools: [],
  operator: ["tools"],
  azure: ["tools", "operator"],
  documents: ["tools", "azure"],
};
const roomOfInfra = (file: string) => /^infra\/([^/]+)/.exec(file)?.[1];

/** The packages that a package may import, in addition to itself. */
const packagesMayKnow: Record<string, readonly string[]> = {
  "local-azure": [],
  terminal: ["local-azure"],
  workbench: ["local-azure", "terminal"],
  sandbox: ["terminal", "workbench"],
};
const roomOfPackages = (file: string) => /^packages\/([^/]+)/.exec(file)?.[1];

/** The rooms of `shared` that a room may import, in addition to itself. */
const mayKnow: Record<string, readonly string[]> = {
  domain: [],
  ports: ["domain"],
  stores: ["domain", "ports"],
  contracts: ["domain", "ports"],
  "use-cases": ["domain", "ports", "stores", "contracts"],
  "adapters/tables": ["domain", "ports", "stores"],
  "adapters/queues": ["domain", "ports", "contracts", "use-cases"],
  "adapters/webhooks": ["domain", "ports"],
  "adapters/mails": ["domain", "ports"],
  "adapters/codes": ["domain", "ports"],
  "adapters/log": ["domain", "ports"],
  "adapters/tracing": ["domain", "ports", "stores", "adapters/queues"],
  "adapters/identity": [],
  "edge/auth": ["domain", "ports", "stores", "contracts", "use-cases"],
  "edge/http": ["domain", "ports", "stores", "contracts", "use-cases", "edge/auth"],
  "edge/settings": ["domain", "ports", "edge/auth"],
};
const roomOf = (file: string) => /^shared\/((?:(?:adapters|edge)\/)?[^/]+)\//.exec(file)?.[1];

/** The rule within `contracts`, whose elementary fields are next to the rooms. */
const elementary = ["amount", "fields", "identifier", "values", "payment-words"];
const contractsMayKnow: Record<string, readonly string[]> = {
  fields: ["identifier", "values"],
  objects: elementary,
  requests: [...elementary, "objects"],
  events: [...elementary, "objects"],
};
const roomOfContracts = (file: string) => /^shared\/contracts\/([\w-]+)/.exec(file)?.[1];

/** The rule within `domain/payment`: the record, the life of a payment, and its movers. */
const paymentMayKnow: Record<string, readonly string[]> = {
  record: [],
  life: ["record"],
  requests: ["record", "life"],
  reports: ["record", "life", "requests"],
  operator: ["record", "life", "requests", "reports"],
};
const roomOfPayment = (file: string) => /^shared\/domain\/payment\/([^/]+)\//.exec(file)?.[1];

/** Whether a file imports more than types from a package. */
const runs = (file: string, name: string): boolean =>
  new RegExp(`(?:^import (?!type )[^;]*? from |import\\()"${name}"`, "m").test(readFileSync(join(root, file), "utf8"));

const offences = (wrong: (i: Import) => boolean, among = imports) =>
  among.filter(wrong).map((i) => `${i.from} imports ${i.to}`);

describe("the source tree", () => {
  it("is found by this test", () => {
    expect(imports.length).toBeGreaterThan(100);
    expect(imports).toContainEqual({ from: "functions/app.ts", to: "shared/edge/settings/config.ts" });
  });

  it.each([
    ["shared", roomOf, mayKnow],
    ["contracts", roomOfContracts, contractsMayKnow],
    ["domain/payment", roomOfPayment, paymentMayKnow],
    ["infra", roomOfInfra, infraMayKnow],
    ["packages", roomOfPackages, packagesMayKnow],
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
    "shared/edge",
    "shared/adapters/tables",
    "infra",
    "packages/workbench",
    "packages/workbench/stack",
    "infra/operator",
    "packages/local-azure",
    "test/simulation",
  ])("has no circle among the rooms of %s", (folder) => {
    const rooms = roomsOf(folder);
    expect(rooms.size).toBeGreaterThan(2);
    expect(floorsOf(rooms).circle).toEqual([]);
  });

  it.each([
    ["the operator's tools", "infra/operator", operatorsPackage],
    ["the terminals", "packages/terminal", terminalsPackage],
  ])("declares what %s import at run time, in the versions of the root", (_, folder, { dependencies }) => {
    const reached = new Set(files(folder).filter((file) => !file.includes("/test/")));
    for (const file of reached)
      for (const { from, to } of imports) if (from === file && !/^node:|[.]json$/.test(to)) reached.add(to);
    const optional = ["playwright-core"]; // pictures of mails
    const packages = [...reached].filter((to) => /^(?:@[\w-]+\/)?[a-z][\w.-]+$/.test(to) && !optional.includes(to));
    const atRunTime = packages.filter((name) => [...reached].some((file) => file.endsWith(".ts") && runs(file, name)));
    expect(Object.keys(dependencies).toSorted()).toEqual(atRunTime.toSorted());
    expect(project.dependencies).toMatchObject(dependencies);
  });

  it("has no circle among its files, types included", () => {
    const files = new Map<string, Set<string>>();
    for (const { from, to } of everywhere.filter(({ to }) => /\.tsx?$/.test(to))) {
      files.set(from, (files.get(from) ?? new Set()).add(to));
      if (!files.has(to)) files.set(to, new Set());
    }
    expect(files.size).toBeGreaterThan(1000);
    expect(floorsOf(files).circle).toEqual([]);
  });

  it("keeps shared from the functions, the platform from the packages, and all from the tests", () => {
    expect(
      offences(({ from, to }) => from.startsWith("shared/") && /^(functions|infra|packages|test)\//.test(to)),
    ).toEqual([]);
    expect(offences(({ from, to }) => from.startsWith("functions/") && /^(infra|packages|test)\//.test(to))).toEqual(
      [],
    );
    expect(offences(({ from, to }) => from.startsWith("infra/") && /^(packages|test)\//.test(to))).toEqual([]);
    expect(offences(({ from, to }) => from.startsWith("packages/") && /(^|\/)test\//.test(to))).toEqual([]);
  });

  it("has in shared what the functions reach, and separately two operator rooms that no function reaches", () => {
    const isOperators = (file: string) => /^shared\/(use-cases|domain\/payment)\/operator\//.test(file);
    const reached = new Set(files("functions"));
    for (const file of reached)
      for (const { from, to } of imports) if (from === file && to.startsWith("shared/")) reached.add(to);
    const shared = files("shared");
    expect(shared.filter((file) => !reached.has(file) && !isOperators(file))).toEqual([]);
    expect(shared.filter((file) => reached.has(file) && isOperators(file))).toEqual([]);
    expect(shared.filter(isOperators).length).toBeGreaterThan(20);
  });

  it("keeps the domain pure: no package except zod, which defines records, no Node, no clock, no randomness", () => {
    const isPure = (to: string) => roomOf(to) === "domain" || to === "zod";
    expect(offences(({ from, to }) => roomOf(from) === "domain" && !isPure(to))).toEqual([]);
    const impure = files("shared/domain").filter((file) =>
      /Date\.now|new Date\(\)|Math\.random|randomUUID|process\.\w/.test(readFileSync(join(root, file), "utf8")),
    );
    expect(impure).toEqual([]);
  });

  it("keeps the SDKs in their own rooms", () => {
    const home: Record<string, RegExp> = {
      "@azure/data-tables": /^shared\/adapters\/tables\/|^functions\/app\.ts$|^(infra|packages)\//,
      "@azure/service-bus": /^shared\/adapters\/queues\/|^functions\/app\.ts$|^(infra|packages)\//,
      "@azure/functions":
        /^shared\/(adapters\/(queues|tracing)|edge\/(auth|http))\/|^functions\/app\.ts$|^(infra|packages)\//,
      "@opentelemetry/api": /^shared\/adapters\/tracing\//,
      "@opentelemetry/context-async-hooks": /^shared\/adapters\/tracing\/sdk\.ts$/,
      "@opentelemetry/exporter-trace-otlp-proto": /^shared\/adapters\/tracing\/sdk\.ts$/,
      "@opentelemetry/resources": /^shared\/adapters\/tracing\/sdk\.ts$/,
      "@opentelemetry/sdk-trace": /^shared\/adapters\/tracing\/sdk\.ts$/,
      nodemailer: /^shared\/adapters\/mails\//,
      "@azure/identity":
        /^shared\/adapters\/identity\/|^infra\/(operator\/admin|azure\/hooks)\/|^packages\/local-azure\/functions-host\//,
      commander: /^infra\/(operator\/admin\/|tools\/(script|typed-command)\.ts)/,
      undici: /^shared\/adapters\/tables\/|^(infra|packages)\//,
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
    const stems = files("functions").filter((file) => dirname(file) !== "functions"); // the folder of the composition root
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

  it("runs on Node 22 unchanged: `using` is newer, and only tests are transformed", () => {
    const own = ["functions", "shared", "infra", "packages"].flatMap(files).filter((file) => !file.includes("/test/"));
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

/** The emulators, by folder: the only file that others import, and the file that is the process. */
const emulators: Readonly<Record<string, { readonly door?: string; readonly process: string }>> = {
  azurite: { process: "faulty-azurite.ts" },
  "functions-host": { door: "host.ts", process: "functions-host.ts" },
  gateway: { door: "gateway.ts", process: "api-management.ts" },
  "service-bus": { door: "broker.ts", process: "service-bus.ts" },
};
const libraries = ["common", "faults"];
const EMULATORS = "packages/local-azure/";
const emulatorOf = (file: string) => /^packages\/local-azure\/([\w-]+)\//.exec(file)?.[1];
const isTest = (file: string) => /^packages\/local-azure\/[\w-]+\/test\//.test(file);
const doors = Object.entries(emulators).map(([name, { door }]) => `${EMULATORS}${name}/${door}`);
const isOfThisRepository = (to: string) => /^(clients|examples|functions|infra|packages|shared|test)\//.test(to);

describe("an emulator", () => {
  const wrong = (isWrong: (i: Import) => boolean) => offences(isWrong, everywhere);
  const leaves = ({ from, to }: Import) => isOfThisRepository(to) && emulatorOf(to) !== emulatorOf(from);
  const isOfLibrary = (file: string) => libraries.includes(emulatorOf(file) ?? "");

  it("exists, each with a README and a process", () => {
    const there = readdirSync(join(root, EMULATORS));
    expect(there.toSorted()).toEqual(["README.md", ...Object.keys(emulators), ...libraries].toSorted());
    for (const [name, { process }] of Object.entries(emulators))
      expect(readdirSync(join(root, EMULATORS, name))).toEqual(expect.arrayContaining(["README.md", process]));
  });

  it("imports nothing of the product, neither in its code nor in its tests", () => {
    expect(
      wrong(({ from, to }) => from.startsWith(EMULATORS) && isOfThisRepository(to) && !to.startsWith(EMULATORS)),
    ).toEqual([]);
  });

  it("imports only the common part of other emulators, and in tests their doors", () => {
    const isAllowed = ({ from, to }: Import) => isOfLibrary(to) || (isTest(from) && doors.includes(to));
    const isOfEmulator = ({ from }: Import) => from.startsWith(EMULATORS) && !isOfLibrary(from);
    expect(wrong((i) => isOfEmulator(i) && leaves(i) && !isAllowed(i))).toEqual([]);
    expect(wrong((i) => isOfLibrary(i.from) && leaves(i) && !isOfLibrary(i.to))).toEqual([]);
  });

  it("is imported only through its door, except for helpers of its tests", () => {
    const isInside = ({ to }: Import) => (emulatorOf(to) ?? "") in emulators && !doors.includes(to) && !isTest(to);
    const isOfAzurite = ({ to }: Import) => emulatorOf(to) === "azurite"; // the live page reads its rows in their stored form
    expect(wrong((i) => leaves(i) && isInside(i) && !isOfAzurite(i))).toEqual([]);
  });

  it("keeps rhea to the Service Bus: only it uses AMQP", () => {
    expect(wrong(({ from, to }) => /^rhea(\/|$)/.test(to) && emulatorOf(from) !== "service-bus")).toEqual([]);
    expect(everywhere).toContainEqual({ from: `${EMULATORS}service-bus/broker.ts`, to: "rhea" });
  });
});
