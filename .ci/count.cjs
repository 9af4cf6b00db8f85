// Prints the tests that failed and the counts, as the last lines of a run, from vitest's own JSON report.
const { existsSync, readFileSync } = require("node:fs");
const [, , report] = process.argv;
if (!existsSync(report)) {
  console.log("The tests wrote no report.\n0 passed, 0 failed");
  process.exit(1);
}
const { numPassedTests, numFailedTests, numPendingTests, success, testResults } = JSON.parse(
  readFileSync(report, "utf8"),
);
for (const { name, status, message, assertionResults } of testResults) {
  const file = require("node:path").relative("", name);
  const failed = assertionResults.filter((test) => test.status === "failed");
  for (const { fullName } of failed) console.log(`failed: ${file}: ${fullName}`);
  // A file that could not be loaded, or a hook that failed.
  if (status === "failed" && failed.length === 0) console.log(`failed: ${file}: ${message.split("\n")[0]}`);
}
const skipped = numPendingTests > 0 ? `, ${numPendingTests} skipped` : "";
console.log(`${numPassedTests} passed, ${numFailedTests} failed${skipped}`);
process.exitCode = numPassedTests > 0 && success ? 0 : 1;
