import { readdir, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import type { readDeclaration } from "../local/gateway/gateway.ts";

type Declaration = Awaited<ReturnType<typeof readDeclaration>>;

const FROM_HERE = "../../apim";

/**
 * The APIs with their documents and policies, as variables of Bicep. A document may be longer than the 131,072 characters that
 * `loadTextContent` takes, so it is read as JSON and written back.
 */
export async function gatewayBicep(directory: string, { apis }: Declaration): Promise<string> {
  const fragments = (await readdir(join(directory, "fragments"))).map((file) => basename(file, ".xml")).toSorted();
  const titles = await Promise.all(apis.map(async ({ id }) => titleOf(join(directory, "openapi", `${id}.json`))));
  return `// Written by npm run azure:generate.

@export()
var globalPolicy = loadTextContent('${FROM_HERE}/global.xml')

@export()
var fragments = [
${fragments.map((name) => `  { name: '${name}', xml: loadTextContent('${FROM_HERE}/fragments/${name}.xml') }`).join("\n")}
]

@export()
var apis = [
${apis.map((api, at) => apiBicep(api, titles[at] ?? "")).join("\n")}
]
`;
}

const apiBicep = ({ id, path, subscriptionRequired, operations }: Declaration["apis"][number], title: string) => `  {
    id: '${id}'
    title: '${title}'
    path: '${path}'
    subscriptionRequired: ${subscriptionRequired}
    document: string(loadJsonContent('${FROM_HERE}/openapi/${id}.json'))
    xml: loadTextContent('${FROM_HERE}/apis/${id}.xml')
    operations: [
${operations.map(({ id }) => `      { name: '${id}', xml: loadTextContent('${FROM_HERE}/policies/${id}.xml') }`).join("\n")}
    ]
  }`;

async function titleOf(file: string): Promise<string> {
  const { info } = JSON.parse(await readFile(file, "utf8")) as { readonly info: { readonly title: string } };
  return info.title;
}
