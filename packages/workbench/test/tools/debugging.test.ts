import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { SourceMap, type SourceMapPayload, type SourceMapping } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterEach, beforeEach, expect, it } from "vitest";
import { builtApp } from "../../../../infra/tools/built-app.ts";
import { freePort } from "../../../local-azure/common/free-ports.ts";
import { startFunctionsHost } from "../../stack/processes.ts";
import example from "../../../../local.settings.example.json" with { type: "json" };

// Does the work of an editor with .vscode/launch.json. It translates a source position by the bundle's map, sets the breakpoint there, and
// translates the position where the app paused back.

const source = fileURLToPath(new URL("../../../../functions/operators/health-detail.ts", import.meta.url));
const bundle = join(builtApp, "app.cjs");

let directory: string;
beforeEach(async () => void (directory = await mkdtemp(join(tmpdir(), "debugging-"))));
afterEach(() => rm(directory, { recursive: true, force: true }));

interface Place {
  readonly lineNumber: number;
  readonly columnNumber: number;
}

/** The positions in bundle and sources, by the bundle's map. Lines count from 0. */
async function readMap() {
  const map = new SourceMap(JSON.parse(await readFile(`${bundle}.map`, "utf8")) as SourceMapPayload);
  const lines = (await readFile(bundle, "utf8")).split("\n");
  const sourceOf = ({ lineNumber, columnNumber }: Place) => {
    const { originalSource, originalLine } = map.findEntry(lineNumber, columnNumber) as Partial<SourceMapping>;
    return originalSource === undefined
      ? undefined
      : { file: resolve(dirname(bundle), originalSource), line: originalLine };
  };
  return {
    sourceOf,
    placeOf(file: string, line: number): Place | undefined {
      const places = lines.map((text, lineNumber) => ({ lineNumber, columnNumber: text.search(/\S/) }));
      return places.find((place) => {
        const found = place.columnNumber < 0 ? undefined : sourceOf(place);
        return found?.file === file && found.line === line;
      });
    },
  };
}

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly callFrames: readonly { readonly location: Place }[] };
}

/** Connects to the debugger of a process. `told` resolves with the next message of a method, or with the response of a number. */
async function connect(port: number) {
  const [target] = (await (await fetch(`http://127.0.0.1:${port}/json/list`)).json()) as {
    webSocketDebuggerUrl: string;
  }[];
  const socket = new WebSocket(target?.webSocketDebuggerUrl ?? "");
  await once(socket, "open");
  let sent = 0;
  const told = (what: string | number): Promise<Message> =>
    new Promise((resolve) => {
      socket.addEventListener("message", ({ data }) => {
        const message = JSON.parse(String(data)) as Message;
        if (message.id === what || message.method === what) resolve(message);
      });
    });
  return {
    told,
    async ask(method: string, params: object = {}): Promise<void> {
      const answer = told(++sent);
      socket.send(JSON.stringify({ id: sent, method, params }));
      await answer;
    },
    close: () => socket.close(),
  };
}

it("stops at a line of a .ts file, with the host as npm start -- --inspect starts it", async () => {
  const map = await readMap();
  const line = (await readFile(source, "utf8"))
    .split("\n")
    .findIndex((text) => text.includes("await checkHealth(deps)"));
  const place = map.placeOf(source, line);
  expect(place).toBeDefined();
  const keysFile = join(directory, "keys.json");
  await writeFile(keysFile, JSON.stringify({ master: "the-master-key", host: {}, functions: {} }));
  const [port, inspect] = [await freePort(), await freePort()];
  const logFile = join(directory, "functions.log");
  const settings = example.Values;
  const host = await startFunctionsHost({ port, logFile, keysFile, app: builtApp, settings, inspect });
  try {
    const editor = await connect(inspect);
    await editor.ask("Debugger.enable");
    await editor.ask("Debugger.setBreakpointByUrl", { url: pathToFileURL(bundle).href, ...place });
    const paused = editor.told("Debugger.paused");
    const asked = fetch(`http://127.0.0.1:${port}/health/detail?code=the-master-key`);
    const { params } = await paused;
    expect(map.sourceOf(params?.callFrames[0]?.location ?? { lineNumber: 0, columnNumber: 0 })).toEqual({
      file: source,
      line,
    });
    await editor.ask("Debugger.resume");
    expect([200, 503]).toContain((await asked).status); // it continues, healthy or not, because another stack may hold the fixed ports
    editor.close();
  } finally {
    await host.kill();
  }
});
