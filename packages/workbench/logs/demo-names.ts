import type { DemoPartner } from "../../../infra/operator/common/seed.ts";

/** The names of the demo's partner and terminals, by their identifiers. */
export const demoNames = ({ demo }: { readonly demo: DemoPartner }): ReadonlyMap<string, string> =>
  new Map([
    [demo.partnerID, "demo"],
    ...Object.entries(demo.terminals).map(([name, { pointOfServiceID }]) => [pointOfServiceID, name] as const),
  ]);
