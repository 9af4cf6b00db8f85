/** The headers of a request as the Functions worker hands them to the library `@azure/functions`. */
type SentHeaders = Record<string, { value?: string | null } | null | undefined>;

/** The part of a call that is read here. The worker and the library keep the object, so it is changed and never copied. */
interface Invocation {
  readonly request: {
    readonly inputData?: readonly SentInput[] | null;
  };
}
interface SentInput {
  readonly data?: { readonly http?: { readonly nullableHeaders?: SentHeaders | null } | null } | null;
}

/** The library as the worker calls it. */
export interface ProgrammingModel {
  readonly name: string;
  readonly version: string;
  getInvocationModel(invocation: Invocation): unknown;
  getCapabilities?(capabilities: Record<string, string>): Promise<Record<string, string>>;
}

/** Stands for a value that cannot be read. It is no credential, no content type and no idempotency key. The gateway writes it, too. */
const UNREADABLE = "?";

/**
 * The library, with headers that it can read. It builds `Headers`, which throws for a character beyond Latin-1 and for a name that is not
 * a token, before any hook or function. The host lets both in.
 */
export const readingHeaders = (library: ProgrammingModel): ProgrammingModel => ({
  name: library.name,
  version: library.version,
  getInvocationModel(invocation) {
    for (const { data } of invocation.request.inputData ?? []) makeReadable(data?.http?.nullableHeaders ?? {});
    return library.getInvocationModel(invocation);
  },
  getCapabilities: async (own) => (await library.getCapabilities?.(own)) ?? own,
});

function makeReadable(headers: SentHeaders): void {
  for (const [name, sent] of Object.entries(headers)) {
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) delete headers[name];
    else if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(sent?.value ?? "")) headers[name] = { value: UNREADABLE };
  }
}
