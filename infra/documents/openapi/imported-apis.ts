import { endpoints } from "../../../functions/endpoints.ts";
import type { ApiName } from "../../../shared/auth/authenticate.ts";
import { apiPaths } from "../../../shared/http/api-paths.ts";
import type { Contract } from "../../../shared/http/contract.ts";
import { apis } from "./apis.ts";

/** An API of API Management: what one document imports. */
export interface ImportedApi {
  /** Also the name of its document and of its policy file. */
  readonly id: string;
  /** The API whose operations it has. */
  readonly name: ApiName;
  readonly title: string;
  /** The beginning of its addresses below the base address: empty, or one segment. */
  readonly path: string;
  readonly contracts: readonly Contract[];
}

/** The contracts of an API's endpoints. */
export const contractsOf = (name: ApiName): readonly Contract[] =>
  endpoints.map(({ contract }): Contract => contract).filter(({ api }) => api === name);

/**
 * The APIs that API Management imports. No two of them may have one path there, and a subscription is required for a whole API or for none of
 * it. Consumers' operations have no path in common, so each is an API.
 */
export const importedApis: readonly ImportedApi[] = [
  ...contractsOf("consumer").map((contract) => {
    const [path = ""] = contract.route.split("/");
    const title = `${apis.consumer.title}: ${contract.summary}`;
    return { id: path, name: "consumer" as const, title, path, contracts: [contract] };
  }),
  ...(["partners", "terminals"] as const).map((name) => ({
    id: name,
    name,
    title: apis[name].title,
    path: apiPaths[name].slice(1),
    contracts: contractsOf(name),
  })),
];

/** An operation's template in its API: its path below the base address without the API's own. */
export function urlTemplateIn({ path, name }: Pick<ImportedApi, "path" | "name">, { route }: Contract): string {
  const whole = `${apiPaths[name]}/${route}`;
  return path === "" ? whole : whole.slice(1 + path.length) || "/";
}
