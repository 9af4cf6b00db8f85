import { isBuiltin } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, context, type BuildOptions, type Plugin } from "esbuild";
import { bundlesFor, writeBeside } from "../../../infra/tools/build.ts";

/** Builds the deployable folder repeatedly, and only the bundles that a change affects. */
export interface AppBuilder {
  /**
   * Rejects if the sources cannot be built, after the bundler has printed why. The existing bundle then stays as it is.
   *
   * @param changed the absolute paths of the changed files; if left out, every file counts as changed
   */
  build(changed?: ReadonlySet<string>): Promise<void>;
  end(): Promise<void>;
}

const root = fileURLToPath(new URL("../../../", import.meta.url));

/** Differs from the deployed folder in one point: the packages of the app's own bundle are a separate bundle, `packages.cjs`. */
export async function newAppBuilder(directory: string): Promise<AppBuilder> {
  await writeBeside(directory);
  const [app = {}, ...apart] = await bundlesFor(directory, []);
  const packages = packagesOf(app, directory);
  const ofSources = { ...app, plugins: [packages.plugin, ...(app.plugins ?? [])] };
  const bundles = await Promise.all([ofSources, ...apart].map((options) => rebuilt(options)));
  return {
    async build(changed) {
      await Promise.all(bundles.filter((one) => changed === undefined || one.reads(changed)).map((one) => one.build()));
      await packages.build();
    },
    async end() {
      await Promise.all(bundles.map((one) => one.end()));
    },
  };
}

const FILE = "./packages.cjs";

/** Bundles the packages that an app imports separately. So a save only builds the sources, which are a small part of the whole. */
function packagesOf(app: BuildOptions, directory: string) {
  const imported = new Set<string>();
  let bundled = 0;
  const plugin: Plugin = {
    name: "packages apart",
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^[^./]/, namespace: "file" }, ({ path, kind }) => {
        if (kind === "entry-point" || isBuiltin(path) || app.external?.includes(path)) return undefined;
        imported.add(path);
        return { path, namespace: "package" };
      });
      onResolve({ filter: /./, namespace: "package" }, () => ({ path: FILE, external: true }));
      onLoad({ filter: /./, namespace: "package" }, ({ path }) => ({
        contents: `module.exports = require("${FILE}")[${JSON.stringify(path)}]();`,
      }));
    },
  };
  return {
    plugin,
    /** Builds the bundle if a package is new. */
    async build(): Promise<void> {
      if (imported.size === bundled) return;
      const lines = [...imported].map((name) => `${JSON.stringify(name)}: () => require(${JSON.stringify(name)}),`);
      const { entryPoints: _, plugins: __, ...options } = app;
      const contents = `module.exports = {\n${lines.join("\n")}\n};`;
      await build({
        ...options,
        sourcemap: false,
        outfile: join(directory, FILE),
        stdin: { contents, resolveDir: root },
      });
      bundled = lines.length;
    },
  };
}

/** A bundle that is built repeatedly. It knows its source files. */
async function rebuilt(options: BuildOptions) {
  const builder = await context({ ...options, metafile: true });
  let sources: ReadonlySet<string> = new Set();
  let isCurrent = false;
  return {
    reads: (changed: ReadonlySet<string>): boolean => !isCurrent || [...changed].some((file) => sources.has(file)),
    async build(): Promise<void> {
      isCurrent = false; // if the build fails, any next change builds it
      const { metafile } = await builder.rebuild();
      sources = new Set(Object.keys(metafile?.inputs ?? {}).map((path) => join(root, path)));
      isCurrent = true;
    },
    end: builder.dispose,
  };
}
