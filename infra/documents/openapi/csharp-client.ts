import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { projectFolder } from "../../tools/packed.ts";

const generator = join(projectFolder, "clients/tools/node_modules/nswag/bin/binaries/Net100/dotnet-nswag.dll");
/** The options of the guide's command that generates the C# client. */
const options = ["openapi2csclient", "/classname:PartnersClient", "/namespace:Shop", "/jsonLibrary:SystemTextJson"];
const nullable = ["/generateOptionalPropertiesAsNullable:true", "/generateNullableReferenceTypes:true"];

/** The version of the .NET SDK of this machine, such as 10. Undefined if there is none. */
const dotnetVersion = async (): Promise<number | undefined> =>
  promisify(execFile)("dotnet", ["--version"]).then(
    ({ stdout }) => Number.parseInt(stdout, 10),
    () => undefined,
  );

/** Why the C# client cannot be generated here. Undefined if it can. */
export async function noCsharpClient(): Promise<string | undefined> {
  if (!existsSync(generator)) return "`npm ci --prefix clients/tools` was not run";
  return ((await dotnetVersion()) ?? 0) >= 10 ? undefined : "there is no .NET 10 on this machine";
}

/** Writes the C# client of the Partners API into the file, by NSwag. Rejects if NSwag fails. */
export async function writeCsharpClient(file: string): Promise<void> {
  const document = join(projectFolder, "docs/openapi/partners.json");
  await promisify(execFile)("dotnet", [generator, ...options, ...nullable, `/input:${document}`, `/output:${file}`]);
}
