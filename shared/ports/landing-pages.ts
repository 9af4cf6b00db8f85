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

/** The latest request by one button and address. */
export interface SameRequest {
  readonly key: RequestKey;
  readonly etag: string;
}

/** Landing pages, each with its requests in one partition. */
export interface LandingPages {
  find(landingPageId: string): Promise<StoredPage | undefined>;
  findRequest(key: RequestKey): Promise<StoredRequest | undefined>;
  findSame(asked: Pick<TokenRequest, "landingPageId" | "button" | "addressKey">): Promise<SameRequest | undefined>;
  /** The newest first. */
  latest(landingPageId: string, atMost: number): Promise<TokenRequest[]>;
  /** A new request, its page where that is new too, and its command. Throws `Conflict` when the page or the same request came in between. */
  create(created: {
    readonly newPage: LandingPage | undefined;
    readonly request: TokenRequest;
    readonly same: SameRequest | undefined;
    readonly command: NewCommand;
  }): Promise<void>;
  /** Throws `Conflict` when the request changed since it was read. */
  commit(request: TokenRequest, etag: string, command: NewCommand | undefined): Promise<void>;
  save(page: LandingPage, etag: string): Promise<void>;
}
