import type { AccessTokenTemplates } from "../../shared/ports/access-token-templates.ts";
import type { AccessTokens } from "../../shared/ports/access-tokens.ts";
import type { Payments } from "../../shared/ports/payments.ts";
import type { LandingPages } from "../../shared/ports/landing-pages.ts";

/** The tables that the operator's commands work on. */
export interface Store {
  readonly templates: AccessTokenTemplates;
  readonly landingPages: LandingPages;
  readonly accessTokens: AccessTokens;
  readonly payments: Payments;
}

/** One thing that the operator can do: `npm run admin -- <name> …`. */
export interface Command {
  /** One word or two. */
  readonly name: string;
  /** What follows the name. */
  readonly usage: string;
  readonly does: string;
  /** What it gives is printed as JSON. `store` connects when it is asked. What is wrong is thrown, as a sentence. */
  run(args: string[], store: () => Promise<Store>): Promise<unknown>;
}

/** The one identifier that a command is given, in lower case. */
export function oneIdentifier(args: readonly string[], of: string): string {
  const [id, ...rest] = args;
  if (id === undefined || rest.length > 0) throw new Error(`Name one ${of} by its identifier.`);
  if (!/^[0-9a-f-]{36}$/i.test(id)) throw new Error(`The identifier of a ${of} looks like a UUID.`);
  return id.toLowerCase();
}
