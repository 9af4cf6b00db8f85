/** The names from which the types are written. */
interface Named {
  /** The settings that environments.bicep may set. */
  readonly settings: readonly { readonly name: string; readonly isRequired: boolean }[];
  /** The named values that differ by environment. */
  readonly perEnvironment: readonly string[];
  readonly workers: readonly string[];
}

/** The settings that the template derives from other parts. */
const DERIVED = ["MAX_DELIVERY_COUNT", "WEBHOOKS_ALLOW_LOOPBACK", "POLLS_OF_INSTANCE"];

/** Types of parameters, so that a name that the code does not have is an error in the template. */
export const typesBicep = ({
  settings,
  perEnvironment,
  workers,
}: Named): string => `// Written by npm run azure:generate.

@description('The app\\'s settings that are no secrets and no connections. One left out has the standard value of docs/settings.md.')
@export()
type appSettings = {
${settings
  .filter(({ name }) => !DERIVED.includes(name))
  .map(({ name, isRequired }) => `  ${name}: string${isRequired ? "" : "?"}`)
  .join("\n")}
}

@description('The named values of API Management that differ by environment.')
@export()
type environmentNamedValues = {
${perEnvironment.map((name) => `  '${name}': string`).join("\n")}
}

@description('What scales by itself: all HTTP functions together, and each worker.')
@export()
type scaleGroup = ${["http", ...workers.map((name) => `function:${name}`)].map((name) => `'${name}'`).join(" | ")}
`;
