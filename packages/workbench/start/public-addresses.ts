import type { StackFile } from "../stack/stack-file.ts";

// The addresses that people on other machines follow. Programs of the stack use the addresses on loopback, because this machine may not know
// the public name.

/** The address of a page under the public URL's name. It keeps its own port. Without a public URL it stays as it is. */
export function pageAt(publicUrl: URL | undefined, page: string): string {
  return publicUrl ? Object.assign(new URL(page), { hostname: publicUrl.hostname }).href : page;
}

/** The stack file with the public URL as the gateway's address, and the pages under its name. */
export function shownFile(file: StackFile, publicUrl: URL | undefined): StackFile {
  if (!publicUrl) return file;
  const { live, reference, landingPage } = file;
  const pages = Object.entries({ live, reference, landingPage }).flatMap(([name, page]) =>
    page === undefined ? [] : [[name, pageAt(publicUrl, page)] as const],
  );
  return {
    ...file,
    ...Object.fromEntries(pages),
    baseUrl: publicUrl.origin,
    terminalsUrl: `${publicUrl.origin}/terminals`,
  };
}
