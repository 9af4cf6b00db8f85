import { readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import type { DeclaredApi } from "./declared-gateway.ts";

const FROM_HERE = "../apim";

/**
 * The APIs with their documents and policies, as variables of Bicep. A document may exceed `loadTextContent`'s limit of 131,072 characters,
 * so Bicep reads it as JSON and converts it back to text.
 */
export async function gatewayBicep(directory: string, apis: readonly DeclaredApi[]): Promise<string> {
  const fragments = (await readdir(join(directory, "fragments"))).map((file) => basename(file, ".xml")).toSorted();
  return `// Written by npm run azure:generate.

@export()
var globalPolicy = loadTextContent('${FROM_HERE}/global.xml')

@export()
var fragments = [
${fragments.map((name) => `  { name: '${name}', xml: loadTextContent('${FROM_HERE}/fragments/${name}.xml') }`).join("\n")}
]

@export()
var apis = [
${apis.map(apiBicep).join("\n")}
]
`;
}

const apiBicep = ({ id, title, path, subscriptionRequired, operations }: DeclaredApi) => `  {
    id: '${id}'
    title: '${title}'
    path: '${path}'
    subscriptionRequired: ${subscriptionRequired}
    document: string(loadJsonContent('${FROM_HERE}/openapi/${id}.json'))
    xml: loadTextContent('${FROM_HERE}/apis/${id}.xml')
    operations: [
${operations.map((name) => `      { name: '${name}', xml: loadTextContent('${FROM_HERE}/policies/${name}.xml') }`).join("\n")}
    ]
  }`;
