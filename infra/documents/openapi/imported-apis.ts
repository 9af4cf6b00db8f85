import { endpoints } from "../../../functions/endpoints.ts";
import type { ApiName } from "../../../shared/edge/auth/authenticate.ts";
import { apiPaths } from "../../../shared/edge/http/api-paths.ts";
import type { Contract } from "../../../shared/edge/http/contract.ts";
import { apis } from "./apis.ts";

/** One API of API Management: the content of one imported document. */
export interface ImportedApi {
  /** Also names its document and its policy file. */
  readonly id: string;
  /** The API that its operations belong to. */
  readonly name: ApiName;
  readonly title: string;
  /** The path prefix of its addresses below the base address: empty, or one segment. */
  readonly path: string;
  readonly contracts: readonly Contract[];
}

/** The contracts of an API's endpoints. */
export const contractsOf = (name: ApiName): readonly Contract[] =>
  endpoints.map(({ contract }): Contract => contract).filter(({ api }) => api === name);

/**
 * The APIs that API Management imports. Two of its APIs cannot share a path. A subscription is required for a whole API or not at all. The
 * consumers' operations share no path, so each of them is an API.
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

/** The URL template of an operation within its API: its path without the API's own prefix. */
export function urlTemplateIn({ path, name }: Pick<ImportedApi, "path" | "name">, { route }: Contract): string {
  const whole = `${apiPaths[name]}/${route}`;
  return path === "" ? whole : whole.slice(1 + path.length) || "/";
}
