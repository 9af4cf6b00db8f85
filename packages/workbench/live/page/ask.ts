// Requests of the page to its own server.

/** The server did not carry out a request. Its message is a sentence. */
export class NotDone extends Error {
  /** The status of the response. 0 if there was none. */
  readonly status: number;

  constructor(message: string, status: number, cause?: unknown) {
    super(message, { cause });
    this.status = status;
  }
}

/** The JSON of a `GET`. Rejects with `NotDone`. */
export async function read<Result>(path: string): Promise<Result> {
  return (await answerOf(path)) as Result;
}

/** Makes the server act. Rejects with `NotDone`. */
export async function act<Result = void>(
  path: string,
  body: unknown = {},
  method: "POST" | "DELETE" = "POST",
): Promise<Result> {
  const headers = { "content-type": "application/json" };
  return (await answerOf(path, { method, headers, body: JSON.stringify(body) })) as Result;
}

async function answerOf(path: string, request: RequestInit = {}): Promise<unknown> {
  const { ok, status, text } = await fetch(path, request)
    .then(async (response) => ({ ok: response.ok, status: response.status, text: await response.text() }))
    .catch((error: unknown) => {
      throw new NotDone("The stack did not respond.", 0, error);
    });
  if (!ok) throw new NotDone(text || `The page's server responded ${status}.`, status);
  return text === "" ? undefined : JSON.parse(text);
}
