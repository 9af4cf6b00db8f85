import { exportsAreKept } from "./exports.ts";
import { checksOfNames } from "./names.ts";
import { roles, rolesOfThePipeline } from "./roles.ts";
import { checksOfSafety } from "./safety.ts";
import { settings } from "./settings.ts";
import type { Check } from "./templates.ts";

/** All that must hold of the templates, beside Azure's own types. */
export const checks: readonly Check[] = [
  ...checksOfNames,
  ...checksOfSafety,
  roles,
  rolesOfThePipeline,
  exportsAreKept,
  settings,
];
