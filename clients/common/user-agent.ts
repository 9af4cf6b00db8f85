/** The version of the built package. The sources do not have one. */
declare const PACKAGE_VERSION: string | undefined;

/** The header that names the client and its version. A page leaves it out: another server has to permit it there. */
export const userAgent = (client: string): Readonly<Record<string, string>> =>
  "document" in globalThis
    ? {}
    : { "user-agent": `${client}/${typeof PACKAGE_VERSION === "undefined" ? "source" : PACKAGE_VERSION}` };
