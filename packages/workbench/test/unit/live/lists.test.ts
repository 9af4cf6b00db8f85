import { describe, expect, it } from "vitest";
import { heldList } from "../../../live/page/held-list.ts";
import { linkTo, routeOf } from "../../../live/page/routes.ts";
import { filterOf, matches, queryOf, states } from "../../../live/page/views/payments/filter.ts";
import { scrolledTo, visibleRows } from "../../../live/page/visible-rows.ts";
import { paymentStates } from "../../../../../shared/domain/payment/record/payment.ts";
import { sampleSource } from "../../browser/sample-source.ts";

const { payments } = sampleSource().snapshot();
const found = (query: string) => payments.filter((payment) => matches(payment, filterOf(query)));

describe("the filter of payments", () => {
  it("offers every state of a payment", () => {
    expect(states.toSorted()).toEqual(paymentStates.toSorted());
  });

  it("finds a text in order, session, merchant and terminal, in any letter case", () => {
    expect(found("text=ORDER-1004").map(({ orderId }) => orderId)).toEqual(["order-1004"]);
    expect(found("text=00000104-5a5a").map(({ orderId }) => orderId)).toEqual(["order-1004"]);
    expect(found("text=demo+kiosk")).toHaveLength(payments.length);
    expect(found("text=autopilot").every(({ terminalName }) => terminalName === "Autopilot")).toBe(true);
    expect(found("text=nothing+like+it")).toEqual([]);
  });

  it("filters by state, by open payments, by terminal and by alert, all at once", () => {
    expect(new Set(found("status=declined").map(({ status }) => status))).toEqual(new Set(["declined"]));
    expect(new Set(found("status=open").map(({ status }) => status))).toEqual(
      new Set(["inProgress", "reconciling", "authorized", "pending"]),
    );
    const terminal = payments[3]?.terminalId ?? "";
    expect(found(`alerts=open&status=reconciling&terminal=${terminal}`)).toEqual([payments[3]]);
    expect(found("alerts=open&status=captured")).toEqual([]);
  });

  it("is complete again when it is read from the address that it was written to", () => {
    const filter = { text: "order #7 & more/€", status: "open", terminal: "t/1?", alerts: true };
    const { query } = routeOf(linkTo("payments", "partner/session?", queryOf(filter)));
    expect(filterOf(query)).toEqual(filter);
    expect(queryOf(filterOf(""))).toBe("");
  });
});

describe("an address of the page", () => {
  it("names a view, the selected item, and the filter of its list", () => {
    expect(routeOf("#/payments/p/s%3F?status=open")).toEqual({
      place: "payments",
      chosen: "p/s?",
      query: "status=open",
    });
    expect(routeOf("#/alerts")).toEqual({ place: "alerts", chosen: undefined, query: "" });
  });

  it("leads to the counter if it is not an address of the page", () => {
    for (const hash of ["", "#/", "#/toString", "#/nothing/here", "#/%E0%A4%A"])
      expect(routeOf(hash).place).toBe("counter");
    expect(routeOf("#/mails/%E0%A4%A").chosen).toBe("%E0%A4%A");
  });
});

describe("a long list", () => {
  const list = { count: 2_000, rowHeight: 50, height: 600 };

  it("draws only the visible rows and a few more", () => {
    expect(visibleRows({ ...list, scrolled: 0 })).toEqual({ first: 0, end: 20 });
    const { first, end } = visibleRows({ ...list, scrolled: 50_010 });
    expect(first).toBeLessThanOrEqual(1_000);
    expect(end).toBeGreaterThanOrEqual(1_013);
    expect(end - first).toBeLessThan(40);
    expect(visibleRows({ ...list, scrolled: 99_400 }).end).toBe(2_000);
    expect(visibleRows({ ...list, count: 3, scrolled: 4_000 })).toEqual({ first: 3, end: 3 });
  });

  it("scrolls just far enough to show the next row completely", () => {
    const box = { rowHeight: 50, scrolled: 500, height: 600 };
    expect(scrolledTo(15, box)).toBe(500);
    expect(scrolledTo(22, box)).toBe(550);
    expect(scrolledTo(9, box)).toBe(450);
  });

  it("moves nothing while it is read, updates the items, and counts the new ones", () => {
    const before = [
      { id: "b", status: "pending" },
      { id: "a", status: "pending" },
    ];
    const held = new Set(before.map(({ id }) => id));
    const now = [
      { id: "d", status: "pending" },
      { id: "c", status: "pending" },
      { id: "b", status: "captured" },
      { id: "a", status: "pending" },
    ];
    expect(heldList(now, held)).toEqual({ shown: now.slice(2), waiting: 2 });
    expect(heldList(now, undefined)).toEqual({ shown: now, waiting: 0 });
  });
});
