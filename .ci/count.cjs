// Prints the counts of vitest's own JSON report, as the last line of a run.
const { numPassedTests, numFailedTests, numPendingTests } = JSON.parse(
  require("node:fs").readFileSync(process.argv[2], "utf8"),
);
const skipped = numPendingTests > 0 ? `, ${numPendingTests} skipped` : "";
console.log(`${numPassedTests} passed, ${numFailedTests} failed${skipped}`);
process.exitCode = numPassedTests > 0 && numFailedTests === 0 ? 0 : 1;
