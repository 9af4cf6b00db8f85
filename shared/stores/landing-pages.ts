import type { AccessToken } from "../domain/access-token.ts";
import {
  type LandingPage,
  type TokenRequest,
  landingPageRecord,
  requestHasEnded,
  tokenRequestRecord,
} from "../domain/landing-page.ts";
import { type NewCommand, committedCommand } from "./commands.ts";
import type { RequestKey, Subject } from "../ports/subjects.ts";
import {
  LANDING_PAGES_PARTITION,
  landingPagePartition,
  LISTED_PAGE_PREFIX,
  listedPageRow,
  PAGE_ROW,
  sameRequestRow,
  TOKEN_REQUEST_PREFIX,
  tokenRequestRow,
  tokenRequestsAt,
} from "./token-keys.ts";
import { type Marked, marksOf, submitMarked } from "./marks.ts";
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
  const list = pageList(rows);
  return {
    ...list,
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
    async commit(request: TokenRequest, read: StoredRequest, command: NewCommand | undefined): Promise<void> {
      const columns = requestColumns(request);
      const operations: Operation[] = [
        { kind: "replace", rowKey: tokenRequestRow(request), columns, etag: read.etag },
        ...marksOf(subjectOf(request), markedIn(read.request), markedIn(request)),
      ];
      if (command) operations.push(...commandRows(request, command));
      await submitMarked(rows, landingPagePartition(request.landingPageId), operations);
    },
    /** Lists and inserts a page before its first request. Throws `Conflict` if it exists. */
    async add(page: LandingPage): Promise<void> {
      await list.enlist(page.landingPageId);
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

/** The list of all pages. */
const pageList = (rows: Rows) => ({
  /** The names of all pages. They include a page that was listed but, because of a crash, not inserted. */
  async list(): Promise<string[]> {
    const found = await rows.withPrefix(LANDING_PAGES_PARTITION, LISTED_PAGE_PREFIX);
    return found.map((row) => fromRow(row, listedPageRecord).landingPageId);
  },
  /** Lists a page. Call it before the page's first request inserts it. */
  async enlist(landingPageId: string): Promise<void> {
    await rows.submit(LANDING_PAGES_PARTITION, [{ kind: "overwrite", ...listedPage(landingPageId) }]);
  },
});

/** Landing pages, each with its requests in its own partition. */
export type LandingPages = ReturnType<typeof landingPagesTable>;

const pageColumns = (page: LandingPage) => toColumns(page, { status: page.status });
const requestColumns = (request: TokenRequest) => toColumns(request, { status: request.status });

/** The group that creates a request, and its page if that is new. */
function operationsOf({ newPage, request, same, sameUnder = [], command }: CreatedRequest): Operation[] {
  const operations: Operation[] = [
    { kind: "insert", rowKey: tokenRequestRow(request), columns: requestColumns(request) },
    ...marksOf(subjectOf(request), undefined, markedIn(request)),
    latestOf(request, { addressKey: request.addressKey, same }),
    ...sameUnder.map((under) => latestOf(request, under)),
    ...commandRows(request, command),
  ];
  if (newPage) operations.push({ kind: "insert", rowKey: PAGE_ROW, columns: pageColumns(newPage) });
  return operations;
}

/** Names the request as the latest one by its button and this key of its address. */
function latestOf({ requestId, createdAt, button }: TokenRequest, { addressKey, same }: SameUnder): Operation {
  const latest = { rowKey: sameRequestRow(button, addressKey), columns: toColumns({ requestId, createdAt }) };
  return same ? { kind: "replace", ...latest, etag: same.etag } : { kind: "insert", ...latest };
}

const commandRows = (request: TokenRequest, command: NewCommand): Operation[] =>
  committedCommand(subjectOf(request), command, { sequence: request.sequence, at: request.updatedAt });

const subjectOf = ({ landingPageId, requestId, createdAt }: TokenRequest): Subject => ({
  kind: "tokenRequest",
  landingPageId,
  requestId,
  createdAt,
});

const markedIn = (request: TokenRequest): Marked => ({ ...request, hasEnded: requestHasEnded(request) });

const listedPageRecord = landingPageRecord.pick({ landingPageId: true });

/** The row that lists a page. */
const listedPage = (landingPageId: string) => ({
  rowKey: listedPageRow(landingPageId),
  columns: toColumns({ landingPageId }),
});
