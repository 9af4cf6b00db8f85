import { describe, expect, it } from "vitest";
import { NoResponse, PlatformProblem } from "../../../clients/partners/failures.ts";
import { aClient, broken, json, problem } from "./a-client.ts";

const page = (next: string, ...ids: readonly string[]) => json(200, { events: ids.map((id) => ({ id })), next });

/** A feed of pages by the cursor before each. After the last page the feed is empty. */
const feedOf =
  (pages: Readonly<Record<string, readonly [next: string, ...ids: readonly string[]]>>) =>
  ({ url }: { readonly url: string }) => {
    const after = new URL(url).searchParams.get("after") ?? "";
    return page(...(pages[after] ?? ([after] as const)));
  };
const two = feedOf({ "": ["c2", "one", "two"], c2: ["c3", "three"] });

describe("following the events", () => {
  it("returns each event once in the order of the feed, waits at each call, and saves a page after its last event was processed", async () => {
    const { client, sent } = aClient([two]);
    const steps: string[] = [];
    const save = async (next: string) => {
      await Promise.resolve();
      steps.push(`saved ${next}`);
    };
    const ends = new AbortController();
    const { signal } = ends;
    for await (const { id } of client.events({
      save: async (next) => (await save(next), next === "c3" && ends.abort()),
      signal,
    }))
      steps.push(id);
    expect(steps).toEqual(["one", "two", "saved c2", "three", "saved c3"]);
    expect(sent.map(({ url }) => new URL(url).search)).toEqual(["?wait=20", "?after=c2&wait=20"]);
  });

  it("continues from its saved cursor, and returns a page again if one of its events was not processed", async () => {
    const saved: string[] = [];
    const read = async (after: string | undefined, most: number) => {
      const { client } = aClient([two]);
      const taken: string[] = [];
      for await (const { id } of client.events({ after, save: (next) => saved.push(next) })) {
        taken.push(id);
        if (taken.length === most) break;
      }
      return taken;
    };
    expect(await read(undefined, 2)).toEqual(["one", "two"]); // ended while it processed the second
    expect(saved).toEqual([]);
    expect(await read(undefined, 3)).toEqual(["one", "two", "three"]);
    expect(saved).toEqual(["c2"]);
    expect(await read(saved[0], 1)).toEqual(["three"]);
  });

  it("ends without an error if its signal is aborted: before a call, in a call, and between two events", async () => {
    const taken: string[] = [];
    const following = async (signal: AbortSignal, respond: Parameters<typeof aClient>[0][number], stop = () => {}) => {
      for await (const { id } of aClient([respond]).client.events({ signal })) {
        taken.push(id);
        stop();
      }
    };
    await following(AbortSignal.abort(), two);
    const hanging = new AbortController();
    await following(hanging.signal, (_, signal) => {
      queueMicrotask(() => hanging.abort());
      return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error)));
    });
    expect(taken).toEqual([]);
    const between = new AbortController();
    await following(between.signal, two, () => between.abort());
    expect(taken).toEqual(["one"]);
  });

  it("repeats a call if the trouble may be temporary, and rejects if it is permanent", async () => {
    const { client, sent } = aClient([
      broken,
      () => json(503, problem(503, "service_unavailable", true)),
      () => page("c2", "one"),
      () => json(410, problem(410, "cursor_expired", false)),
    ]);
    const taken: string[] = [];
    const failure = await (async () => {
      for await (const { id } of client.events({ after: "c1" })) taken.push(id);
    })().catch((error: unknown) => error);
    expect(taken).toEqual(["one"]);
    expect(failure).toBeInstanceOf(PlatformProblem);
    expect(failure).toMatchObject({ status: 410, code: "cursor_expired" });
    expect(sent).toHaveLength(4);
    const away = aClient([broken]).client.events()[Symbol.asyncIterator]();
    await expect(away.next()).rejects.toBeInstanceOf(NoResponse);
  });

  it("rejects with the error of saving, and requests no further page", async () => {
    const { client, sent } = aClient([two]);
    const events = client.events({ save: () => Promise.reject(new Error("the disk is full")) })[Symbol.asyncIterator]();
    await events.next();
    await events.next();
    await expect(events.next()).rejects.toThrow("the disk is full");
    expect(sent).toHaveLength(1);
  });

  it("does not repeat a call at once if a platform that is ending responds without waiting", async () => {
    const ends = new AbortController();
    const { client, sent, pauses } = aClient([
      () => page("c1"),
      () => page("c1"),
      () => {
        ends.abort();
        return page("c1");
      },
    ]);
    for await (const event of client.events({ after: "c1", signal: ends.signal })) expect(event).toBeUndefined();
    expect(sent).toHaveLength(3);
    expect(pauses).toEqual([1_000, 1_000]);
  });

  it("adds the wait that it requests from the platform to a call's own time", async () => {
    let arrived: AbortSignal | undefined;
    const { client } = aClient(
      [
        async (_, signal) => {
          arrived = signal;
          await new Promise((resolve) => setTimeout(resolve, 50));
          signal.throwIfAborted();
          return page("c1", "late");
        },
      ],
      { retries: { attempts: 1, attemptTimeoutMs: 10, deadlineMs: 10 } },
    );
    await expect(client.eventPage({ wait: 0 })).rejects.toBeInstanceOf(NoResponse);
    expect(arrived?.aborted).toBe(true);
    expect((await client.eventPage({ wait: 20 })).events).toHaveLength(1);
  });
});
