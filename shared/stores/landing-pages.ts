import type { AccessToken } from "../domain/access-token.ts";
import { type LandingPage, type TokenRequest, landingPageRecord, tokenRequestRecord } from "../domain/landing-page.ts";
import { type NewCommand, committedCommand } from "./commands.ts";
import type { RequestKey } from "../ports/subjects.ts";
import {
  landingPagePartition,
  PAGE_ROW,
  sameRequestRow,
  TOKEN_REQUEST_PREFIX,
  tokenRequestRow,
  tokenRequestsAt,
} from "./token-keys.ts";
import { fromRow, toColumns } from "./record.ts";
import type { Operation, Rows } from "../ports/rows.ts";

export interface StoredPage {
  readonly page: LandingPage;
  readonly etag: string;
}

export interface StoredRequest {
  readonly request: TokenRequest;
  readonly etag: string;
}

/** The latest request by one button for one e-mail address. */
export interface SameRequest {
  readonly key: RequestKey;
  readonly etag: string;
}

/** The latest request by one button for one e-mail address, under one key of the address. */
export interface SameUnder {
  readonly addressKey: string;
  readonly same: SameRequest | undefined;
}

/** A new request, with what is written in one group with it. */
interface CreatedRequest {
  readonly newPage: LandingPage | undefined;
  readonly request: TokenRequest;
  /** The latest request by this button under the request's own key of the address. */
  readonly same: SameRequest | undefined;
  /** The same under the other keys by which the address is known while the platform's keys are rotated. */
  readonly sameUnder?: readonly SameUnder[];
  readonly command: NewCommand;
}

const sameRecord = tokenRequestRecord.pick({ requestId: true, createdAt: true });

/** Landing pages in the table `LandingPages`, one partition each. A row for each button and address names its latest request. */
export function landingPagesTable(rows: Rows) {
  return {
    async find(landingPageId: string): Promise<StoredPage | undefined> {
      const row = await rows.get(landingPagePartition(landingPageId), PAGE_ROW);
      return row && { page: fromRow(row, landingPageRecord), etag: row.etag };
    },
    async findRequest(key: RequestKey): Promise<StoredRequest | undefined> {
      const row = await rows.get(landingPagePartition(key.landingPageId), tokenRequestRow(key));
      return row && { request: fromRow(row, tokenRequestRecord), etag: row.etag };
    },
    /** The request that brought this token. Undefined if it was removed. */
    async findRequestOf(
      token: Pick<AccessToken, "tokenId" | "landingPageId" | "createdAt">,
    ): Promise<StoredRequest | undefined> {
      const { tokenId, landingPageId, createdAt } = token;
      const found = await rows.withPrefix(landingPagePartition(landingPageId), tokenRequestsAt(createdAt));
      return found
        .map((row) => ({ request: fromRow(row, tokenRequestRecord), etag: row.etag }))
        .find(({ request }) => request.tokenId === tokenId);
    },
    async findSame(
      wanted: Pick<TokenRequest, "landingPageId" | "button" | "addressKey">,
    ): Promise<SameRequest | undefined> {
      const { landingPageId, button, addressKey } = wanted;
      const row = await rows.get(landingPagePartition(landingPageId), sameRequestRow(button, addressKey));
      return row && { key: { landingPageId, ...fromRow(row, sameRecord) }, etag: row.etag };
    },
    /** The latest requests, the newest first. */
    async latest(landingPageId: string, atMost: number): Promise<TokenRequest[]> {
      const found = await rows.withPrefix(landingPagePartition(landingPageId), TOKEN_REQUEST_PREFIX, atMost);
      return found.map((row) => fromRow(row, tokenRequestRecord));
    },
    /**
     * Inserts a request and its command in one group, and its page if that is new. Throws `Conflict` if the page was created, or the same
     * request was made, in the meantime.
     */
    async create(created: CreatedRequest): Promise<void> {
      await rows.submit(landingPagePartition(created.request.landingPageId), operationsOf(created));
    },
    /** Throws `Conflict` if the request changed since it was read. */
    async commit(request: TokenRequest, etag: string, command: NewCommand | undefined): Promise<void> {
      const columns = requestColumns(request);
      const operations: Operation[] = [{ kind: "replace", rowKey: tokenRequestRow(request), columns, etag }];
      if (command) operations.push(commandRowOf(request, command));
      await rows.submit(landingPagePartition(request.landingPageId), operations);
    },
    /** Inserts a page before its first request. Throws `Conflict` if it exists. */
    async add(page: LandingPage): Promise<void> {
      const partition = landingPagePartition(page.landingPageId);
      await rows.submit(partition, [{ kind: "insert", rowKey: PAGE_ROW, columns: pageColumns(page) }]);
    },
    async save(page: LandingPage, etag: string): Promise<void> {
      const columns = pageColumns(page);
      const partition = landingPagePartition(page.landingPageId);
      await rows.submit(partition, [{ kind: "replace", rowKey: PAGE_ROW, columns, etag }]);
    },
  };
}

/** Landing pages, each with its requests in its own partition. */
export type LandingPages = ReturnType<typeof landingPagesTable>;

const pageColumns = (page: LandingPage) => toColumns(page, { status: page.status });
const requestColumns = (request: TokenRequest) => toColumns(request, { status: request.status });

/** The group that creates a request, and its page if that is new. */
function operationsOf({ newPage, request, same, sameUnder = [], command }: CreatedRequest): Operation[] {
  const operations: Operation[] = [
    { kind: "insert", rowKey: tokenRequestRow(request), columns: requestColumns(request) },
    latestOf(request, { addressKey: request.addressKey, same }),
    ...sameUnder.map((under) => latestOf(request, under)),
    commandRowOf(request, command),
  ];
  if (newPage) operations.push({ kind: "insert", rowKey: PAGE_ROW, columns: pageColumns(newPage) });
  return operations;
}

/** Names the request as the latest one by its button and this key of its address. */
function latestOf({ requestId, createdAt, button }: TokenRequest, { addressKey, same }: SameUnder): Operation {
  const latest = { rowKey: sameRequestRow(button, addressKey), columns: toColumns({ requestId, createdAt }) };
  return same ? { kind: "replace", ...latest, etag: same.etag } : { kind: "insert", ...latest };
}

function commandRowOf(request: TokenRequest, command: NewCommand): Operation {
  const { landingPageId, requestId, createdAt, sequence, updatedAt: at } = request;
  const subject = { kind: "tokenRequest", landingPageId, requestId, createdAt } as const;
  return committedCommand(subject, command, { sequence, at });
}
