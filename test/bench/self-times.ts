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

/** Reads the start of each source from esbuild's comments: `// shared/edge/settings/config.ts`. */
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
  if (/(?:^|\/)packages\/(?:workbench\/stack|local-azure)\//.test(path)) return "local host";
  return /^(?:shared|functions)\//.test(path) ? "product" : path;
}

/** The bundle of a profile: which files belong to it, and the source of each of its lines. */
export interface Bundle {
  readonly isBundle: (url: string) => boolean;
  readonly sourceOf: SourceOf;
}
type Frame = CpuProfile["nodes"][number]["callFrame"];

const pathOf = ({ url, lineNumber }: Frame, { isBundle, sourceOf }: Bundle): string =>
  isBundle(url) ? sourceOf(lineNumber) : url;

/** The package of a frame. */
export const packageOfFrame = (frame: Frame, bundle: Bundle): string => {
  if (frame.url !== "") return packageOf(pathOf(frame, bundle));
  return /^\(.*\)$/.test(frame.functionName) ? frame.functionName : "native";
};

/** The function of a frame, with its file. */
export function functionOfFrame(frame: Frame, bundle: Bundle): string {
  const name = frame.functionName || "(anonymous)";
  if (frame.url === "") return name;
  const path = pathOf(frame, bundle).replace(/^.*node_modules\//, "");
  return `${name} ${path.replace(/^file:.*\/(?=infra\/)/, "")}`;
}

/** Self time by name, in milliseconds, the longest first. Idle time is left out. */
export function selfTimes(profile: CpuProfile, nameOf: (frame: Frame) => string) {
  const names = new Map(profile.nodes.map(({ id, callFrame }) => [id, nameOf(callFrame)] as const));
  const times = new Map<string, number>();
  for (const [i, id] of profile.samples.entries()) {
    const name = names.get(id) ?? "unknown";
    // A sample's delta is the time before the sample. The node ran until the next sample.
    if (name !== "(idle)") times.set(name, (times.get(name) ?? 0) + (profile.timeDeltas[i + 1] ?? 0) / 1_000);
  }
  return [...times].map(([name, ms]) => ({ name, ms })).toSorted((a, b) => b.ms - a.ms);
}
