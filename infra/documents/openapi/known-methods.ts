import { endpoints } from "../../../functions/endpoints.ts";
import { apiPaths } from "../../../shared/edge/http/api-paths.ts";

/** The path of the health probe, which is not part of any API. */
const probe = { method: "GET", path: "/probes/health" };

/**
 * The policy fragment that sets the variable `allow` to the methods of the request's path, if an operation has this path. API Management
 * runs only the global scope for a request that matches no operation, so that scope needs this table.
 */
export function knownMethods(): string {
  const operations = [
    ...endpoints.map(({ contract: { api, method, route } }) => ({ method, path: `${apiPaths[api]}/${route}` })),
    probe,
  ];
  const methodsOf = Map.groupBy(operations, ({ path }) => path);
  const paths = [...methodsOf].map(([path, of]) => ({ path, allow: of.map(({ method }) => method).join(", ") }));
  const cases = [...Map.groupBy(paths, ({ allow }) => allow)].map(([allow, of]) => caseOf(allow, of));
  return `<!-- Written by npm run openapi: the methods of each path, for the response to any other method. -->
<fragment>
  <choose>
${cases.join("\n")}
  </choose>
</fragment>
`;
}

function caseOf(allow: string, paths: readonly { readonly path: string }[]): string {
  const patterns = paths.map(({ path }) => path.slice(1).replaceAll(/\{\w+\}/g, "[^/%#]+"));
  const condition = `@(Regex.IsMatch(context.Request.OriginalUrl.Path, "(?i)^/(?:${patterns.join("|")})$"))`;
  return `    <when condition='${condition}'>
      <set-variable name="allow" value="${allow}" />
    </when>`;
}
