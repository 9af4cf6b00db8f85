import type { AccessToken } from "../domain/access-token.ts";
import type { LandingPage, TokenRequest } from "../domain/landing-page.ts";
import type { NewCommand } from "./commands.ts";
import type { RequestKey } from "./subjects.ts";

export interface StoredPage {
  readonly page: LandingPage;
  readonly etag: string;
}

export interface StoredRequest {
  readonly request: TokenRequest;
  readonly etag: string;
}

/** The latest request that came by one button for one e-mail address. */
export interface SameRequest {
  readonly key: RequestKey;
  readonly etag: string;
}

/** The latest request that came by one button for one e-mail address, under one key of the address. */
export interface SameUnder {
  readonly addressKey: string;
  readonly same: SameRequest | undefined;
}

/** Landing pages, each with its requests in its own partition. */
export interface LandingPages {
  find(landingPageId: string): Promise<StoredPage | undefined>;
  findRequest(key: RequestKey): Promise<StoredRequest | undefined>;
  findSame(wanted: Pick<TokenRequest, "landingPageId" | "button" | "addressKey">): Promise<SameRequest | undefined>;
  /** The request that brought this token. Undefined where it is no longer kept. */
  findRequestOf(
    token: Pick<AccessToken, "tokenId" | "landingPageId" | "createdAt">,
  ): Promise<StoredRequest | undefined>;
  /** The latest requests, the newest first. */
  latest(landingPageId: string, atMost: number): Promise<TokenRequest[]>;
  /**
   * Inserts a request, its command, and its page where that is new, in one group. Throws `Conflict` when the page was created, or the same
   * request was made, in the meantime.
   */
  create(created: {
    readonly newPage: LandingPage | undefined;
    readonly request: TokenRequest;
    /** The latest request by this button under the request's own key of the address. */
    readonly same: SameRequest | undefined;
    /** The same under the other keys by which the address is known while the platform's keys are rotated. */
    readonly sameUnder?: readonly SameUnder[];
    readonly command: NewCommand;
  }): Promise<void>;
  /** Throws `Conflict` when the request changed since it was read. */
  commit(request: TokenRequest, etag: string, command: NewCommand | undefined): Promise<void>;
  /** Inserts a page before its first request. Throws `Conflict` when it exists. */
  add(page: LandingPage): Promise<void>;
  save(page: LandingPage, etag: string): Promise<void>;
}
