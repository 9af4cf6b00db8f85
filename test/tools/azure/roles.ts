import { differing, lacking, type Check, type Templates } from "./templates.ts";

// The README's table of roles is what the templates assign.

/** The identifiers of Azure's built-in roles, which are the same everywhere. */
const builtIn: Readonly<Record<string, string>> = {
  "Storage Blob Data Owner": "b7e6dc6d-f1e8-4753-8033-0f276bb0955b",
  "Storage Blob Data Contributor": "ba92f5b4-2d11-453d-a403-e96b0029c9fe",
  "Storage Blob Data Reader": "2a2b9908-6ea1-4ae2-8e65-a410df84e7d1",
  "Storage Table Data Contributor": "0a9a7e1f-b9d0-4cc4-a60d-0319b160aaa3",
  "Storage Table Data Reader": "76199698-9eea-4c19-bc75-cec21354c6b6",
  "Azure Service Bus Data Owner": "090c5cfd-751d-490a-894a-3ce6f1109419",
  "Key Vault Secrets User": "4633458b-17de-408a-b874-0445c86b69e6",
  "Key Vault Secrets Officer": "b86a8fe4-44ce-4948-aee5-eccb2c155cd7",
  "Monitoring Metrics Publisher": "3913510d-42f4-4e42-8a64-420c390055eb",
  "API Management Service Contributor": "312a565d-c81f-4fd8-895a-4e21e48d571c",
  "Log Analytics Reader": "73c42c96-874c-492b-b04d-ab87d138a893",
  "Communication and Email Service Owner": "09976791-48a7-449e-bb21-39d1a415f350",
  Contributor: "b24988ac-6180-42a0-ab88-20f7382dd24c",
  "Role Based Access Control Administrator": "f58310d9-a9f6-439a-9e8d-f62e7b41a168",
};

const nameOfRole = (identifier: string | undefined) =>
  Object.entries(builtIn).find(([, id]) => id === identifier)?.[0] ?? `no built-in role (${identifier})`;

/** Roles that the templates define themselves, in the words of the README. */
const own: Readonly<Record<string, string>> = { lockWriter: "lock writer" };

/** The scopes of the templates in the words of the README. */
const scopes: Readonly<Record<string, string>> = {
  hostStorage: "storage account of the host",
  dataStorage: "storage account of the tables",
  "queue[at]": "each queue",
  settingsVault: "key vault of settings",
  keysVault: "key vault of function keys",
  "gatewayKey[at]": "each key that it sends",
  component: "Application Insights",
  delivery: "mail service",
  exports: "container of exports",
  "resourceGroup()": "resource group",
};

/** Who gets a role, by the expression that names them, in the words of the README. */
const principals: Readonly<Record<string, string>> = {
  appPrincipalId: "app",
  gatewayPrincipalId: "gateway",
  "deployer().objectId": "deployer",
  smtpPrincipalId: "mail application",
  exporterPrincipalId: "exporter",
  operatorsPrincipalId: "operators",
  pipelinePrincipalId: "pipeline",
};

/** The identifiers of one list of `role-ids.bicep`. */
const listed = (templates: Templates, list: string): string[] =>
  [...templates.declared("modules/role-ids.bicep", list).matchAll(/'([0-9a-f-]{36})'/g)].map(([, id = ""]) => id);

/** Each assignment of any file as a line of the README: who, role, scope. */
function assigned(templates: Templates): string[] {
  const [operators, single] = [true, false].map((ofOperators) =>
    templates.declarations.filter(
      ({ kind, name, text }) =>
        kind === "resource" && text.includes("/roleAssignments@") && (name === "operators") === ofOperators,
    ),
  );
  const identifiers = new Map(
    [...templates.text("modules/role-ids.bicep").matchAll(/(\w+): '([0-9a-f-]{36})'/g)].map(([, name = "", id]) => [
      name,
      id,
    ]),
  );
  return [
    ...(single ?? []).map(({ text }) => {
      const [, scope = ""] = /^ +scope: (\S+)$/m.exec(text) ?? [];
      const [, who = ""] = /principalId: (\S+)$/m.exec(text) ?? [];
      const [, role = ""] = /roleDefinitions', \w+\.(\w+)\)/.exec(text) ?? [];
      const [, defined = ""] = /roleDefinitionId: (\w+)\.id$/m.exec(text) ?? [];
      const [, named, of] = /guid\((\S+)\.id, (\S+), \w+\.\w+\)/.exec(text) ?? [];
      const right = named === scope && of === who;
      return `${principals[who] ?? who} | ${own[defined] ?? nameOfRole(identifiers.get(role))} | ${right ? (scopes[scope] ?? scope) : `${named} and ${scope}`}`;
    }),
    ...(operators ?? []).flatMap(({ file }) =>
      [...templates.declared(file, "operatorRoles").matchAll(/roles\.(\w+)/g)].map(
        ([, role = ""]) => `operators | ${nameOfRole(identifiers.get(role))} | resource group`,
      ),
    ),
  ];
}

export const roles: Check = {
  name: "roles are those of the README",
  find(templates) {
    const [, table = ""] = templates.beside("infra/azure/README.md").split("| who | role | scope | why |");
    const [rows = ""] = table.split("\n\n");
    const documented = [...rows.matchAll(/^\| (\w[^|]+) \| (\w[^|]+) \| ([^|]+) \|/gm)].map(
      ([, who, role, scope]) => `${who} | ${role} | ${scope}`,
    );
    return [
      ...(documented.length > 10 ? [] : ["the README has no table"]),
      ...differing("roles of the README and the templates", documented, assigned(templates)),
    ];
  },
};

/** The pipeline assigns what a deployment assigns, and never the roles by which it does so. */
export const rolesOfThePipeline: Check = {
  name: "the pipeline assigns the roles of the templates alone",
  find(templates) {
    const text = templates.text("modules/ci.bicep");
    const condition = templates.declared("modules/ci.bicep", "rolesOfTheTemplates");
    const ofDeployments = assigned(templates)
      .filter((line) => !line.startsWith("pipeline |"))
      .map((line) => builtIn[line.split(" | ")[1] ?? ""] ?? line);
    return [
      ...differing(
        "roles that deployments assign and that the pipeline may",
        ofDeployments,
        listed(templates, "roles"),
      ),
      ...listed(templates, "pipelineRoles")
        .filter((id) => listed(templates, "roles").includes(id))
        .map((id) => `the pipeline may assign ${nameOfRole(id)}`),
      ...lacking("the pipeline's assignments", templates.declared("modules/ci.bicep", "pipelineAssignments"), [
        "condition: rolesOfTheTemplates",
        "conditionVersion: '2.0'",
      ]),
      ...lacking("the condition", condition, [
        "!(ActionMatches{\\'Microsoft.Authorization/roleAssignments/write\\'})) OR (@Request[Microsoft.Authorization/roleAssignments:RoleDefinitionId] ForAnyOfAnyValues:GuidEquals {${assignable}})",
        "!(ActionMatches{\\'Microsoft.Authorization/roleAssignments/delete\\'})) OR (@Resource[Microsoft.Authorization/roleAssignments:RoleDefinitionId] ForAnyOfAnyValues:GuidEquals {${assignable}})",
      ]),
      ...lacking("modules/ci.bicep", text, ["join(map(items(roles), role => role.value), ', ')"]),
      ...(/locks\/(?:\*|delete)|actions: \['\*'/.test(text) ? ["the pipeline may take a lock away"] : []),
    ];
  },
};
