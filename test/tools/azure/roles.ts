import { read } from "../../support/pages.ts";
import { differing, resources, type Rule } from "./rules.ts";

// Compares the README's table of roles with the templates' role assignments.

/** The identifiers of Azure's built-in roles, which are the same everywhere. */
const builtIn: Readonly<Record<string, string>> = {
  "b7e6dc6d-f1e8-4753-8033-0f276bb0955b": "Storage Blob Data Owner",
  "ba92f5b4-2d11-453d-a403-e96b0029c9fe": "Storage Blob Data Contributor",
  "2a2b9908-6ea1-4ae2-8e65-a410df84e7d1": "Storage Blob Data Reader",
  "0a9a7e1f-b9d0-4cc4-a60d-0319b160aaa3": "Storage Table Data Contributor",
  "76199698-9eea-4c19-bc75-cec21354c6b6": "Storage Table Data Reader",
  "090c5cfd-751d-490a-894a-3ce6f1109419": "Azure Service Bus Data Owner",
  "4f6d3b9b-027b-4f4c-9142-0e5a2a2247e0": "Azure Service Bus Data Receiver",
  "69a216fc-b8fb-44d8-bc22-1f3c2cd27a39": "Azure Service Bus Data Sender",
  "4633458b-17de-408a-b874-0445c86b69e6": "Key Vault Secrets User",
  "b86a8fe4-44ce-4948-aee5-eccb2c155cd7": "Key Vault Secrets Officer",
  "3913510d-42f4-4e42-8a64-420c390055eb": "Monitoring Metrics Publisher",
  "312a565d-c81f-4fd8-895a-4e21e48d571c": "API Management Service Contributor",
  "73c42c96-874c-492b-b04d-ab87d138a893": "Log Analytics Reader",
  "09976791-48a7-449e-bb21-39d1a415f350": "Communication and Email Service Owner",
};

/** Scopes in the words of the README. */
const scopes: readonly (readonly [RegExp, string])[] = [
  [/ServiceBus\/namespaces\/[\w-]+$/, "Service Bus"],
  [/ApiManagement\/service\/[\w-]+$/, "API Management"],
  [/OperationalInsights\/workspaces\/[\w-]+$/, "workspace"],
  [/\/sthost\w+$/, "storage account of the host"],
  [/\/stdata\w+$/, "storage account of the tables"],
  [/\/queues\/[\w-]+$/, "each queue"],
  [/\/kv-app-[\w-]+$/, "key vault of settings"],
  [/\/kv-keys-[\w-]+$/, "key vault of function keys"],
  [/\/kv-keys-[\w-]+\/secrets\/[\w-]+--gateway$/, "each key that it sends"],
  [/Insights\/components\/[\w-]+$/, "Application Insights"],
  [/\/containers\/exports$/, "container of exports"],
  [/\/containers\/(deployments|azure-webjobs-hosts)$/, "each container of the host"],
];

/** The principals of the roles, in the README's words, by the expression that names them. */
const principals: readonly (readonly [RegExp, string])[] = [
  [/userAssignedIdentities\/id-payments-/, "app"],
  [/format\('gatewayService-/, "gateway"],
  [/format\('backup-/, "exporter"],
  [/^1{8}-/, "readers"],
  [/^2{8}-/, "operators"],
  [/^3{8}-/, "administrators"],
];

const inWords = (words: readonly (readonly [RegExp, string])[], text: string): string =>
  words.find(([form]) => form.test(text))?.[1] ?? text;

/** The snapshot of `prod` has none of these: a mail service is a parameter, the pipeline's own rights are those of ci.bicep, and hooks lend. */
const notOfProd = ["mail application", "pipeline", "deployer"];

const documented = (): string[] => {
  const [, table = ""] = read("infra/azure/README.md").split("| who | role | scope | why |");
  const [rows = ""] = table.split("\n\n");
  return [...rows.matchAll(/^\| (\w[^|]+) \| (\w[^|]+) \| ([^|]+) \|/gm)].map((row) => row.slice(1, 4).join(" | "));
};

export const roles: Rule = {
  name: "roles are those of the README",
  find: (snapshot, environment) =>
    environment === "prod"
      ? differing(
          "roles of README and templates",
          documented().filter((row) => !notOfProd.some((who) => row.startsWith(`${who} |`))),
          resources(snapshot, "Authorization/roleAssignments").map(({ scope = "", properties }) => {
            const { principalId, roleDefinitionId } = properties as Record<string, string>;
            const role = builtIn[roleDefinitionId?.slice(-36) ?? ""] ?? "no known role";
            return `${inWords(principals, principalId ?? "")} | ${role} | ${inWords(scopes, scope)}`;
          }),
        )
      : [],
  breakIt: (copy) =>
    copy.set("Authorization/roleAssignments", "roleDefinitionId", "b24988ac-6180-42a0-ab88-20f7382dd24c"),
};

/** The roles that only the templates, or only this list, has. */
export const unknownRoles = (): string[] => {
  const [, list = ""] = /^var roles = \{\n([^}]+)\}/m.exec(read("infra/azure/modules/role-ids.bicep")) ?? [];
  return differing(
    "built-in roles and role-ids.bicep",
    Object.keys(builtIn),
    [...list.matchAll(/'([0-9a-f-]{36})'/g)].map(([, id = ""]) => id),
  );
};
