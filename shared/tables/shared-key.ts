import { createHmac, createSecretKey } from "node:crypto";
import type { TableClient } from "@azure/data-tables";

type Policy = Parameters<TableClient["pipeline"]["addPolicy"]>[0];

/** The SDK's policy that `sharedKeyPolicy` replaces. It signs in the same way, but derives a key from the text at each call. */
const SDK_POLICY = "tablesNamedKeyCredentialPolicy";

/** Signs with the account's key where the connection string holds one. Any other credential is left to the SDK. */
export function signWithKeyOf(connection: string, { pipeline }: TableClient): void {
  const [account, key] = [settingOf(connection, "AccountName"), settingOf(connection, "AccountKey")];
  if (account === undefined || key === undefined) return;
  if (pipeline.removePolicy({ name: SDK_POLICY }).length > 0) pipeline.addPolicy(sharedKeyPolicy(account, key));
}

function settingOf(connection: string, name: string): string | undefined {
  const start = `${name.toLowerCase()}=`;
  const setting = connection.split(";").find((one) => one.trim().toLowerCase().startsWith(start));
  return setting?.trim().slice(start.length) || undefined;
}

/** Shared Key Lite for tables: it signs the date, and the account and path as they are sent; of a query only `comp`. */
function sharedKeyPolicy(account: string, base64Key: string): Policy {
  const key = createSecretKey(Buffer.from(base64Key, "base64"));
  return {
    name: "sharedKeyPolicy",
    sendRequest(request, next) {
      const date = new Date().toUTCString();
      const { pathname, comp } = resourceOf(request.url);
      const signature = createHmac("sha256", key).update(`${date}\n/${account}${pathname}${comp}`).digest("base64");
      request.headers.set("x-ms-date", date);
      request.headers.set("authorization", `SharedKeyLite ${account}:${signature}`);
      return next(request);
    },
  };
}

function resourceOf(url: string): { readonly pathname: string; readonly comp: string } {
  const start = url.indexOf("/", url.indexOf("//") + 2);
  const query = url.indexOf("?", start);
  if (query < 0) return { pathname: url.slice(start), comp: "" };
  const comp = new URLSearchParams(url.slice(query)).get("comp");
  return { pathname: url.slice(start, query), comp: comp === null ? "" : `?comp=${comp}` };
}
