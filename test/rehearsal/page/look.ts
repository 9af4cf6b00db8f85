import { Markup } from "./markup.ts";

/** The page's style: colours are variables, in a light and a dark form. Every text has a contrast of 4.5 at least with what is behind it. */
export const lookOf = (): Markup => new Markup(`${colours}${texts}${parts}${pictures}${narrow}`);

const colours = `
:root { color-scheme: light dark; --ground: #f5f6f8; --surface: #fff; --line: #e0e3ea; --ink: #14171f; --quiet: #586173; --accent: #4a3fd2;
  --good: #0b6b3f; --good-ground: #e0f5e9; --bad: #a8201a; --bad-ground: #fde7e5; --warn: #7a4d00; --warn-ground: #fdf0d8; --wait: #a8590a; }
@media (prefers-color-scheme: dark) { :root { --ground: #0d0f13; --surface: #16191f; --line: #292e38; --ink: #e9ebf0; --quiet: #9ba5b6; --accent: #aaa2ff;
  --good: #6fdda4; --good-ground: #10301f; --bad: #ff9c93; --bad-ground: #3a1614; --warn: #f5c56b; --warn-ground: #30260f; --wait: #f0a860; } }
`;

const texts = `
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif; -webkit-text-size-adjust: 100%; }
main { max-width: 940px; margin: 0 auto; padding: 28px 20px 64px; }
h1 { margin: 0; font-size: 31px; line-height: 1.2; letter-spacing: -0.015em; }
h2 { margin: 0 0 8px; font-size: 21px; letter-spacing: -0.01em; }
h3 { margin: 0; font-size: 17px; }
p { margin: 8px 0; max-width: 76ch; text-wrap: pretty; }
section { margin-top: 44px; }
.quiet { color: var(--quiet); font-weight: 400; }
code { font: 0.9em/1.5 ui-monospace, "SF Mono", Menlo, Consolas, monospace; overflow-wrap: anywhere; }
summary { cursor: pointer; color: var(--accent); width: fit-content; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
`;

const parts = `
.verdict { padding: 26px 28px 22px; border-radius: 16px; background: color-mix(in srgb, var(--tint) 45%, var(--surface)); border: 1px solid color-mix(in srgb, var(--tone) 35%, transparent); }
.verdict p { max-width: none; font-size: 17px; }
.verdict .kicker { margin: 0 0 8px; color: var(--quiet); font-size: 15px; }
.verdict .line { display: flex; gap: 14px; align-items: center; margin-bottom: 12px; }
.sign { flex: none; width: 44px; height: 44px; padding: 5px; border-radius: 50%; fill: none; stroke-width: 3.4; stroke-linecap: round; stroke-linejoin: round; stroke: var(--surface); background: var(--tone); }
.verdict.is-kept { --tone: var(--good); --tint: var(--good-ground); } .verdict.is-unproven { --tone: var(--warn); --tint: var(--warn-ground); }
.verdict.is-broken { --tone: var(--bad); --tint: var(--bad-ground); } .is-broken h1 { color: var(--bad); }
.broken, .alarm { padding: 14px 20px 14px 36px; border-radius: 10px; background: var(--bad-ground); color: var(--bad); overflow-wrap: anywhere; }
.alarm { padding-left: 20px; margin-top: 16px; } .alarm table { color: var(--bad); }
.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(170px, 1fr)); gap: 14px; margin: 16px 0 0; }
.figures > div { display: flex; flex-direction: column; padding: 16px 18px; border: 1px solid var(--line); border-radius: 14px; background: var(--surface); }
.figures dt { order: 1; font-size: 15px; } .figures dd { margin: 0; font-size: 24px; font-weight: 650; letter-spacing: -0.01em; }
.figures dd.quiet { order: 2; font-size: 14px; font-weight: 400; letter-spacing: 0; }
.troubles, .calls { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 400px), 1fr)); gap: 16px; margin: 16px 0 0; padding: 0; list-style: none; }
.calls { grid-template-columns: minmax(0, 1fr); }
.card { padding: 18px 20px; border: 1px solid var(--line); border-radius: 14px; background: var(--surface); min-width: 0; }
.number { display: inline-grid; place-items: center; width: 26px; height: 26px; margin-right: 4px; border-radius: 50%; background: var(--warn-ground); color: var(--warn); font-size: 14px; }
.legend { display: flex; flex-wrap: wrap; gap: 6px; align-items: center; color: var(--quiet); font-size: 15px; }
.legend .dot { width: 11px; height: 11px; border-radius: 50%; background: var(--accent); } .legend .dot:not(:first-child) { margin-left: 12px; }
.legend .is-p95 { border: 2.5px solid var(--accent); background: none; } .legend .is-p99 { width: 9px; height: 9px; border: 1.5px solid var(--accent); background: none; }
.scroll { overflow-x: auto; margin: 14px 0; } table { border-collapse: collapse; width: 100%; font-size: 15px; font-variant-numeric: tabular-nums; }
caption { padding-bottom: 4px; text-align: left; font-weight: 600; }
th, td { padding: 6px 10px; border-bottom: 1px solid var(--line); text-align: right; vertical-align: top; } th { font-weight: 400; } thead th { color: var(--quiet); }
th:first-child { padding-left: 0; text-align: left; } th[scope="rowgroup"] { padding-top: 12px; font-weight: 600; }
.waits-table { font-size: 14px; } .waits-table th, .waits-table td { padding-inline: 3px; white-space: nowrap; }
details { margin-top: 10px; } details .scroll { max-height: 420px; overflow-y: auto; }
.events { margin: 8px 0 0; padding: 0; list-style: none; font-size: 15px; }
.promises { padding-left: 22px; } .promises li { margin: 6px 0; max-width: 68ch; }
.promises.is-kept { padding-left: 0; list-style: none; } .promises.is-kept li { position: relative; padding-left: 28px; }
.promises.is-kept li::before { content: ""; position: absolute; left: 6px; top: 5px; width: 6px; height: 11px; border: solid var(--good); border-width: 0 2.5px 2.5px 0; transform: rotate(42deg); }
.facts { margin: 14px 0 0; } .facts > div { display: grid; grid-template-columns: 240px minmax(0, 1fr); gap: 16px; padding: 6px 0; border-bottom: 1px solid var(--line); }
.facts dt { color: var(--quiet); } .facts dd { margin: 0; overflow-wrap: anywhere; }
`;

const pictures = `
.picture { display: block; width: 100%; height: auto; margin-top: 14px; }
.picture .axis { fill: var(--quiet); font-size: 12px; font-variant-numeric: tabular-nums; } .picture .heading { fill: var(--ink); font-size: 13px; font-weight: 600; }
.picture .grid { stroke: var(--line); stroke-width: 1; } .picture .payments rect { fill: var(--accent); } .picture .wait rect { fill: var(--wait); }
.picture .trouble rect { fill: var(--warn-ground); } .picture .trouble circle { fill: var(--warn-ground); } .picture .trouble text { fill: var(--warn); font-size: 12px; font-weight: 650; }
.picture .call path { fill: var(--bad); }
.waits { max-width: 440px; } .waits g line { stroke-width: 2; opacity: 0.55; stroke: currentColor; } .waits circle { fill: currentColor; }
.waits .p95, .waits .p99 { fill: var(--surface); stroke: currentColor; stroke-width: 2.2; } .waits .p99 { stroke-width: 1.4; }
.waits .is-before, .waits .is-after { color: var(--accent); } .waits .is-during { color: var(--wait); }
.narrow-only { display: none; }
`;

const narrow = `
@media (max-width: 640px) {
  main { padding: 14px 14px 48px; } h1 { font-size: 25px; } .verdict { padding: 18px 18px 14px; } .verdict p { font-size: 16px; }
  .wide-only { display: none; } .narrow-only { display: block; } .figures { grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 10px; } .figures > div { padding: 12px 14px; }
  .figures dd { font-size: 20px; } .card { padding: 16px; } .facts > div { grid-template-columns: minmax(0, 1fr); gap: 0; } th, td { padding-inline: 6px; } section { margin-top: 34px; }
}
@media print { body { background: none; } .card, .figures > div { break-inside: avoid; } }
`;
