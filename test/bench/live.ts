import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Browser, CDPSession, Page } from "playwright-core";
import type { LoopbackServer } from "../../packages/local-azure/common/loopback-server.ts";
import { serveLive } from "../../packages/workbench/live/server.ts";
import type { LiveSource } from "../../packages/workbench/live/source.ts";
import type { PaymentView } from "../../packages/workbench/live/views/payments.ts";
import type { Change } from "../../packages/workbench/live/views/snapshot.ts";
import { openPage, goTo } from "../browser/a-page.ts";
import { sampleSource } from "../../packages/workbench/test/browser/sample-source.ts";
import { startBrowser } from "../support/browser.ts";
import { defineBench, whole, type Progress } from "./bench.ts";
import { median, percentile, round } from "./statistics.ts";

const MB = 1024 * 1024;
const OPENINGS = 7;

/** A source with this many payments. Changes alternately add a payment and advance one. */
function busySource(payments: number, eventsPerSecond: number): LiveSource {
  const source = sampleSource({ payments });
  const snapshot = source.snapshot();
  return {
    ...source,
    subscribe(hear) {
      let count = 0;
      let latest = snapshot.payments[0];
      const change = (): Change => {
        if (!latest) return {};
        const now = Date.now();
        const next: PaymentView =
          count++ % 2 === 0
            ? { ...latest, ...named(latest), status: "pending", captured: 0, held: 0, createdAt: now, updatedAt: now }
            : {
                ...latest,
                status: "captured",
                captured: latest.amount,
                held: latest.amount,
                updatedAt: now,
                sequence: latest.sequence + 1,
              };
        latest = next;
        return { payments: [next] };
      };
      const timer = setInterval(() => hear(change()), 1_000 / eventsPerSecond);
      return () => clearInterval(timer);
    },
  };
}

function named({ partnerId, terminalId }: PaymentView): Pick<PaymentView, "id" | "sessionId" | "orderId"> {
  const sessionId = randomUUID();
  return { id: `${partnerId}/${terminalId}/${sessionId}`, sessionId, orderId: `order-${sessionId.slice(0, 6)}` };
}

/** Notes the length of each frame. */
const watchFrames = `(() => {
  window.frames_ = [];
  let before = performance.now();
  const next = (now) => {
    window.frames_.push(now - before);
    before = now;
    requestAnimationFrame(next);
  };
  requestAnimationFrame(next);
})()`;
/** The frame lengths since the last call. */
const takeFrames = "window.frames_.splice(0)";

/** The times of the first paint, and of the first view with the stack's data: milliseconds since the request of the page. */
const paints = `({
  first: performance.getEntriesByName("first-contentful-paint")[0].startTime,
  data: performance.now(),
})`;

/** Milliseconds of work of the page's thread so far. */
async function workOf(session: CDPSession): Promise<number> {
  const { metrics } = await session.send("Performance.getMetrics");
  return (metrics.find(({ name }) => name === "TaskDuration")?.value ?? Number.NaN) * 1_000;
}

/** The heap of the page's scripts, in MB, after a collection. */
async function heapOf(session: CDPSession): Promise<number> {
  await session.send("HeapProfiler.collectGarbage");
  const { usedSize } = await session.send("Runtime.getHeapUsage");
  return round(usedSize / MB);
}

async function openings(browser: Browser, url: string) {
  const seen: { first: number; data: number }[] = [];
  const files = new Map<string, number>();
  for (let i = 0; i < OPENINGS; i++) {
    const context = await browser.newContext();
    const page = await context.newPage();
    page.on("response", (response) => {
      const { pathname } = new URL(response.url());
      if (pathname === "/stream" || !response.url().startsWith(url)) return;
      void response.body().then(
        (body) => files.set(pathname, body.byteLength),
        () => {},
      ); // the page is closed already
    });
    await page.goto(url);
    await page.getByRole("navigation", { name: "Terminals" }).waitFor();
    seen.push(await page.evaluate<{ first: number; data: number }>(paints));
    await context.close();
  }
  const middle = (of: "first" | "data") => Math.round(median(seen.map((one) => one[of])));
  return { firstPaintMs: middle("first"), dataMs: middle("data"), files: Object.fromEntries(files) };
}

async function readings(page: Page, minutes: number, progress: Progress) {
  const session = await page.context().newCDPSession(page);
  await session.send("HeapProfiler.enable");
  await session.send("Performance.enable");
  const heap = [await heapOf(session)];
  await page.evaluate(watchFrames);
  const frames: number[] = [];
  let workMs = 0;
  for (let minute = 1; minute <= minutes; minute++) {
    const before = await workOf(session);
    await sleep(60_000);
    workMs += (await workOf(session)) - before;
    const taken = (await page.evaluate(takeFrames)) as number[];
    frames.push(...taken);
    heap.push(await heapOf(session));
    await page.evaluate(takeFrames); // discards the frames of the collection
    progress(`minute ${minute}: longest frame ${Math.round(Math.max(...taken))} ms, heap ${heap.at(-1)} MB`);
  }
  return { frames, heap, workMsPerSecond: round(workMs / (minutes * 60)) };
}

/** The live page in a browser, with the largest number of payments that it lists. */
export const live = defineBench({
  means: "the live page in a browser: first paint, weight, frames and memory under a stream of changes; needs Chromium",
  options: {
    payments: whole(2_000, "payments in the list"),
    events: whole(50, "changes a second"),
    minutes: whole(10, "minutes of the measurement"),
  },
  async run({ payments, events, minutes }, progress) {
    const browser = await startBrowser();
    const servers: LoopbackServer[] = [];
    const serve = async (source: LiveSource) => {
      const server = await serveLive({ port: 0, source });
      servers.push(server);
      return server.url;
    };
    try {
      const opened = await openings(browser, await serve(sampleSource()));
      progress(`first paint ${opened.firstPaintMs} ms`);
      const { page } = await openPage(browser, await serve(busySource(payments, events)));
      await goTo(page, "Payments");
      const { frames, heap, workMsPerSecond } = await readings(page, minutes, progress);
      const kilobytes = (bytes: number) => round(bytes / 1024);
      const weight = Object.values(opened.files).reduce((sum, bytes) => sum + bytes, 0);
      const long = frames.filter((ms) => ms > 50).length;
      return {
        tables: [
          {
            title: `Opening the page: median of ${OPENINGS}`,
            columns: ["first paint ms", "first data ms", "KB in all", ...Object.keys(opened.files)],
            rows: [
              [opened.firstPaintMs, opened.dataMs, kilobytes(weight), ...Object.values(opened.files).map(kilobytes)],
            ],
          },
          {
            title: `${payments} payments, ${events} changes a second, ${minutes} minutes`,
            columns: ["frames", "p50 ms", "p99 ms", "longest ms", "above 50 ms", "work ms/s", "heap MB first", "last"],
            rows: [
              [
                frames.length,
                round(percentile(frames, 50)),
                round(percentile(frames, 99)),
                round(Math.max(...frames)),
                long,
                workMsPerSecond,
                heap[0] ?? 0,
                heap.at(-1) ?? 0,
              ],
            ],
          },
        ],
        figures: {
          ...opened,
          frames: frames.length,
          longestMs: Math.max(...frames),
          above50Ms: long,
          workMsPerSecond,
          heapMB: heap,
        },
      };
    } finally {
      await browser.close();
      for (const server of servers) await server.stop();
    }
  },
});
