import { newScript, UsageError, type Script } from "../../infra/tools/script.ts";
import type { Deployed } from "./deployed.ts";

/**
 * The command line of `npm run e2e`. Plain HTTP is allowed only for this machine, because the keys of the settings are sent with each
 * request.
 */
export const deployedScript = (run: (options: Deployed) => Promise<void>): Script =>
  newScript("npm run e2e --", "Runs the black-box tests on a platform that runs already, through its gateway.", [
    "npm run e2e -- --base-url https://gateway.example --settings e2e.json",
  ])
    .option("--base-url <address>", "the gateway's address", readAddress)
    .option("--settings <file>", "credentials, from `npm run admin -- e2e-settings <file>`")
    .action(({ baseUrl, settings }: Partial<Deployed>) => {
      if (baseUrl === undefined || settings === undefined) throw new UsageError("It needs --base-url and --settings.");
      return run({ baseUrl, settings });
    });

function readAddress(text: string): string {
  if (!URL.canParse(text)) throw new UsageError(`--base-url ${text} is no address.`);
  const { protocol, hostname } = new URL(text);
  const isHere = protocol === "http:" && ["127.0.0.1", "localhost", "[::1]"].includes(hostname);
  if (protocol !== "https:" && !isHere) throw new UsageError(`--base-url ${text} must be an https address.`);
  return text;
}
