// Plain JavaScript that any Node parses: npm runs it before start and test.
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < 22 || (major === 22 && minor < 19)) {
  console.error(
    `Node ${process.versions.node} is too old: this needs Node 22.19 or newer (24 is what Azure runs).\n` +
      "On Linux, Windows and Intel Macs `npm ci` brings Node 24 along, and npm scripts use it; " +
      "elsewhere install it from https://nodejs.org or with your version manager.",
  );
  process.exit(1);
}
