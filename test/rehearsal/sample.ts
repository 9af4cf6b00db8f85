import { readFileSync } from "node:fs";
import { rehearsalRecord, type Rehearsal } from "./record.ts";

/** The record of ten minutes with every trouble, as `npm run rehearse -- --json` wrote it: what the pictures of the documents show. */
export const sampleRehearsal: Rehearsal = rehearsalRecord.parse(
  JSON.parse(readFileSync(new URL("sample.json", import.meta.url), "utf8")),
);
