import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { expect, it } from "vitest";
import { buildApp, bundle } from "../../infra/tools/build.ts";
import { builtApp } from "../../infra/tools/built-app.ts";
import { logLinesIn } from "../support/log-lines.ts";

/** Supplies the worker's module, in which the app registers nothing. */
const WORKER = `
  const Module = require("node:module");
  const { _load } = Module;
  const core = { Disposable: class {}, registerFunction() {}, registerHook() {}, getProgrammingModel: () => ({}), setProgrammingModel() {} };
  Module._load = (name, ...rest) => (name === "@azure/functions-core" ? core : _load(name, ...rest));
`;

/** Loads the built app, and prints each file that it imports. */
const LOAD = `${WORKER}
  const { registerHooks } = require("node:module");
  registerHooks({ resolve: (name, context, next) => (/(traces|identity|mails)\\.cjs$/.test(name) && console.log(name), next(name, context)) });
  require(process.argv[1]);
  setImmediate(() => process.exit());
`;

/** The parts of the app's own bundle. */
const built = await build({ ...bundle, write: false, metafile: true });
const inputs = Object.keys(built.metafile.inputs);

it("the production bundle has one copy of the Azure SDK's core, and of undici only what sends requests", () => {
  const parts = inputs.filter((file) => !/\/state(-cjs)?\.js$/.test(file)); // both module forms share this file
  const core = parts.flatMap((file) => /^.*\/(?:@azure\/core-|@typespec\/)[^/]+\/dist\/[^/]+/.exec(file)?.[0] ?? []);
  const packages = [...new Set(core)].map((copy) => copy.replace(/.*node_modules\/|\/dist.*/g, ""));
  expect(packages).toContain("@azure/core-client");
  expect(packages).toEqual([...new Set(packages)]);
  expect(parts.filter((file) => /undici\/(index|lib\/(mock|interceptor|cache|web\/websocket))/.test(file))).toEqual([]);
});

it("the production bundle has the SDKs for traces and identities, and the mails, in separate files, and loads each only if it is needed", async () => {
  expect(
    inputs.filter((file) => /@opentelemetry\/(?!api\/)|@azure\/(identity|msal)|nodemailer|qrcode/.test(file)),
  ).toEqual([]);
  expect(inputs.some((file) => file.includes("@opentelemetry/api/"))).toBe(true);

  const directory = await mkdtemp(join(tmpdir(), "bundle-"));
  try {
    await buildApp(directory);
    const { Values: settings } = JSON.parse(await readFile("local.settings.example.json", "utf8")) as {
      Values: Record<string, string>;
    };
    const { TABLES_CONNECTION, SERVICE_BUS_CONNECTION, ...others } = settings;
    const withKeys = { TABLES_CONNECTION, SERVICE_BUS_CONNECTION };
    const withIdentity = {
      TABLES_CONNECTION__accountName: "payments",
      SERVICE_BUS_CONNECTION__fullyQualifiedNamespace: "payments.servicebus.windows.net",
      KEY_PEPPERS: '{"own":"0123456789abcdef0123456789abcdef"}', // the values in the example are only for this machine
      WEBHOOK_SECRET_KEYS: '{"own":"0123456789abcdef0123456789abcdef"}',
      CONSUMER_CREDENTIALS: "{}",
      WEBHOOKS_ALLOW_LOOPBACK: "false",
      TOKEN_CODE_KEYS: '{"own":"0123456789abcdef0123456789abcdef"}',
    };
    const loadedWith = async (more: object) => {
      const env = { ...others, ...more };
      const { stdout } = await promisify(execFile)(process.execPath, ["-e", LOAD, join(directory, "main.cjs")], {
        env,
      });
      expect(logLinesIn(stdout)).toMatchObject([
        { event: "started", version: expect.stringMatching(/^\d+\.\d+\.\d+/) },
      ]);
      return new Set(stdout.split("\n").filter((line) => line.endsWith(".cjs")));
    };
    expect(await loadedWith(withKeys)).toEqual(new Set());
    const traced = { ...withKeys, OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:1" };
    expect(await loadedWith(traced)).toEqual(new Set(["./traces.cjs"]));
    expect(await loadedWith(withIdentity)).toEqual(new Set(["./identity.cjs"]));
  } finally {
    await rm(directory, { recursive: true });
  }
});

it("a stack of the production bundle names the lines of the source", async () => {
  const broken = `${WORKER} Date.prototype.toISOString = () => { throw new RangeError("no time") }; require(process.argv[1]);`;
  const run = promisify(execFile)(process.execPath, ["-e", broken, join(builtApp, "main.cjs")]);
  await expect(run).rejects.toMatchObject({
    stderr: expect.stringMatching(
      /^RangeError: no time\n {4}at .*[\s\S]*shared\/adapters\/log\/json-log\.ts:\d+:\d+\)?\n/m,
    ),
  });
});
