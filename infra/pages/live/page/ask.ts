// Requests of the page to its own server.

/** The JSON of a `GET`. Rejects with the server's sentence. */
export async function read<Result>(path: string): Promise<Result> {
  return (await answerOf(await fetch(path))) as Result;
}

/** Makes the server act. Rejects with the server's sentence. */
export async function act<Result = void>(
  path: string,
  body: unknown = {},
  method: "POST" | "DELETE" = "POST",
): Promise<Result> {
  const headers = { "content-type": "application/json" };
  return (await answerOf(await fetch(path, { method, headers, body: JSON.stringify(body) }))) as Result;
}

async function answerOf(response: Response): Promise<unknown> {
  const text = await response.text();
  if (!response.ok) throw new Error(text || `The page's server responded ${response.status}.`);
  return text === "" ? undefined : JSON.parse(text);
}
