import type { Resource, Snapshot } from "../../../infra/azure/snapshots.ts";

/** A rule for the resources of an environment. It returns a sentence for each place that breaks it. */
export interface Rule {
  readonly name: string;
  readonly find: (snapshot: Snapshot, environment: string) => readonly string[] | Promise<readonly string[]>;
  /** Breaks the rule in a copy of `prod`. */
  readonly breakIt: (copy: Broken) => void;
}

/** A copy of a snapshot that a test may change. */
export class Broken {
  readonly snapshot: Snapshot;

  constructor(snapshot: Snapshot) {
    this.snapshot = structuredClone(snapshot);
  }

  /** Sets a value of the first resource of the type whose name contains this part, by its path from `properties`. */
  set(type: string, path: string, value: unknown, part = ""): void {
    const one = resources(this.snapshot, type).find(({ name }) => name.includes(part));
    const names = path.split(".");
    const last = names.pop() ?? "";
    let at: unknown = one?.properties;
    for (const name of names) at = (at as Record<string, unknown>)[name];
    if (typeof at !== "object" || at === null || !(last in at)) throw new Error(`${type} has no ${path}`);
    (at as Record<string, unknown>)[last] = value;
  }
}

/** The resources of a type, from both deployments. */
export const resources = ({ foundation, main }: Snapshot, type: string): Resource[] =>
  [...foundation, ...main].filter((resource) => resource.type === `Microsoft.${type}`);

/** The last part of each name of a type, because a name begins with the names of its parents. */
export const namesOf = (snapshot: Snapshot, type: string): string[] =>
  resources(snapshot, type).map(({ name }) => name.split("/").at(-1) ?? "");

/** The places at which resources of a type have values other than these. A path starts at `properties`. */
export const unlike = (snapshot: Snapshot, type: string, wanted: Readonly<Record<string, unknown>>): string[] => {
  const found = resources(snapshot, type);
  if (found.length === 0) return [`there is no ${type}`];
  return found.flatMap(({ name, properties }) =>
    Object.entries(wanted)
      .filter(([path, value]) => JSON.stringify(valueAt(properties, path)) !== JSON.stringify(value))
      .map(([path]) => `${path} of ${name} is ${JSON.stringify(valueAt(properties, path))}`),
  );
};

export const valueAt = (value: unknown, path: string): unknown =>
  path.split(".").reduce((at, name) => (at as Record<string, unknown> | undefined)?.[name], value);

/** The entries that only one of two lists has. */
export function differing(what: string, one: readonly string[], other: readonly string[]): string[] {
  const [a, b] = [new Set(one), new Set(other)];
  return [
    ...[...a].filter((name) => !b.has(name)).map((name) => `${what}: ${name} is in the first alone`),
    ...[...b].filter((name) => !a.has(name)).map((name) => `${what}: ${name} is in the second alone`),
  ];
}
