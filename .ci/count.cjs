// Prints the tests that failed and the counts, as the last lines of a run, from vitest's own JSON reports.
const { existsSync, readFileSync } = require("node:fs");
const { relative } = require("node:path");
const files = process.argv.slice(2);
const reports = files.filter(existsSync).map((file) => JSON.parse(readFileSync(file, "utf8")));
if (reports.length < files.length) console.log("Some tests wrote no report.");
for (const { name, status, message, assertionResults } of reports.flatMap(({ testResults }) => testResults)) {
  const file = relative("", name);
  const failed = assertionResults.filter((test) => test.status === "failed");
  for (const { fullName } of failed) console.log(`failed: ${file}: ${fullName}`);
  // A file that could not be loaded, or a hook that failed.
  if (status === "failed" && failed.length === 0) console.log(`failed: ${file}: ${message.split("\n")[0]}`);
}
const sum = (member) => reports.reduce((all, report) => all + report[member], 0);
const skipped = sum("numPendingTests") > 0 ? `, ${sum("numPendingTests")} skipped` : "";
console.log(`${sum("numPassedTests")} passed, ${sum("numFailedTests")} failed${skipped}`);
const isWell =
  reports.length === files.length && reports.every(({ success, numPassedTests }) => success && numPassedTests > 0);
process.exitCode = isWell ? 0 : 1;
