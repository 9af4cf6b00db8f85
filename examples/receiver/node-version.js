// Plain JavaScript, because an older Node does not run TypeScript. npm runs it before each script of package.json.
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  console.error(`Node ${process.versions.node} is too old: this needs Node 22.18 or newer (https://nodejs.org).`);
  process.exit(1);
}
