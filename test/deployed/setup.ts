import type { TestProject } from "vitest/node";
import { startAutopilot } from "../../packages/terminal/simulated/autopilot.ts";
import { terminalClient } from "../../packages/terminal/simulated/terminal-client.ts";
import { forgetAnswers } from "../support/answers.ts";
import { partnerNames } from "../support/running-stack.ts";
import { deployed } from "./deployed.ts";
import { asStack, readSettings } from "./settings.ts";

/** Gives the tests the partners of the settings, and runs the autopilots of their terminals meanwhile. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  forgetAnswers();
  const { baseUrl, settings: path } = deployed(process.env);
  const settings = await readSettings(path);
  const stack = asStack(baseUrl, settings);
  const [, ...others] = settings.partners;
  project.provide("stack", stack);
  const named = partnerNames.flatMap((name, i) => {
    const partner = others[i % others.length];
    return partner ? [[name, partner] as const] : [];
  });
  project.provide("partners", Object.fromEntries(named));
  const autopilots = settings.partners.map(({ terminals }) =>
    startAutopilot(terminalClient({ terminalsUrl: stack.terminalsUrl, terminalKey: terminals.autopilot.terminalKey }), {
      paceMs: 20,
    }),
  );
  return async () => void (await Promise.all(autopilots.map((autopilot) => autopilot.stop())));
}
