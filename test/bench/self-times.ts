/** The members of a `.cpuprofile` that this file reads. */
export interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
  }[];
  /** The node that ran at each sample. */
  readonly samples: readonly number[];
  /** Microseconds between each sample and the previous one. */
  readonly timeDeltas: readonly number[];
}

/** Names the source file of a line of a bundle, from 0. */
type SourceOf = (line: number) => string;

/** Reads the start of each source from esbuild's comments: `// shared/settings/config.ts`. */
export function sourcesOf(bundle: string): SourceOf {
  const begins: { readonly line: number; readonly path: string }[] = [];
  for (const [line, text] of bundle.split("\n").entries()) {
    const [, path] = /^\/\/ (\S+\.(?:[cm]?[jt]s|json))$/.exec(text) ?? [];
    if (path !== undefined) begins.push({ line, path });
  }
  return (line) => begins.findLast((source) => source.line <= line)?.path ?? "the bundle's own";
}

/** The package of a file; `product` for the platform's own, `local host` for its local host, `node` for Node's. */
function packageOf(path: string): string {
  if (path.startsWith("node:")) return "node";
  const [, name] = /^.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path) ?? [];
  if (name !== undefined) return name;
  if (/(?:^|\/)infra\/(?:emulators|stack)\//.test(path)) return "local host";
  return /^(?:shared|functions)\//.test(path) ? "product" : path;
}

/** Self time by package, in milliseconds, the longest first. Idle time is left out. */
export function selfTimes(profile: CpuProfile, isBundle: (url: string) => boolean, sourceOf: SourceOf) {
  const names = new Map(
    profile.nodes.map(({ id, callFrame: { functionName, url, lineNumber } }) => {
      if (url === "") return [id, /^\(.*\)$/.test(functionName) ? functionName : "native"] as const;
      return [id, packageOf(isBundle(url) ? sourceOf(lineNumber) : url)] as const;
    }),
  );
  const times = new Map<string, number>();
  for (const [i, id] of profile.samples.entries()) {
    const name = names.get(id) ?? "unknown";
    // A sample's delta is the time before it. The node ran until the next sample.
    if (name !== "(idle)") times.set(name, (times.get(name) ?? 0) + (profile.timeDeltas[i + 1] ?? 0) / 1_000);
  }
  return [...times].map(([name, ms]) => ({ name, ms })).toSorted((a, b) => b.ms - a.ms);
}
