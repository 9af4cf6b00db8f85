// Prints the tests that failed and the counts, as the last lines of a run, from vitest's own JSON report.
const { numPassedTests, numFailedTests, numPendingTests, testResults } = JSON.parse(
  require("node:fs").readFileSync(process.argv[2], "utf8"),
);
for (const { name: file, assertionResults } of testResults)
  for (const { status, fullName } of assertionResults)
    if (status === "failed") console.log(`failed: ${require("node:path").relative("", file)}: ${fullName}`);
const skipped = numPendingTests > 0 ? `, ${numPendingTests} skipped` : "";
console.log(`${numPassedTests} passed, ${numFailedTests} failed${skipped}`);
process.exitCode = numPassedTests > 0 && numFailedTests === 0 ? 0 : 1;
