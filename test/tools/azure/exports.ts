import { differing, lacking, type Check } from "./templates.ts";

const days = /\{ immutableDays: (\d+), removedAfterDays: (\d+), isLocked: (?:true|false) \}/;

/** The nightly exports: nothing takes one back, and what uploads them names what the templates make. */
export const exportsAreKept: Check = {
  name: "exports are kept apart, and from everybody",
  find(templates) {
    const module = "modules/backup.bicep";
    const workflow = templates.beside(".github/workflows/backup.yml");
    const upload = templates.beside(".github/upload-export");
    const [, container = ""] = /^var exportsContainer = '(\w+)'$/m.exec(templates.text("modules/names.bicep")) ?? [];
    const [, prefix = ""] = /exportsStorage: '(\w+)\$/.exec(templates.text("modules/names.bicep")) ?? [];
    const subjects = [templates.text(module), templates.text("ci.bicep")].map(
      (text) => /subject: '(.+)'$/m.exec(text)?.[1],
    );
    const actions = [...workflow.matchAll(/uses: (\S+)/g)].map(([, action = ""]) => action);
    const given = [...workflow.matchAll(/vars\.(\w+)/g)].map(([, name = ""]) => name);
    const documented = [...templates.beside("docs/backup.md").matchAll(/`([A-Z]+(?:_[A-Z]+)*)`/g)].map(
      ([, name = ""]) => name,
    );
    return [
      ...lacking(`${module} account`, templates.declared(module, "account"), [
        "...properties",
        "location: exportsLocation",
        "enabled: true",
        "immutabilityPeriodSinceCreationInDays: kept.immutableDays",
        "state: kept.isLocked ? 'Locked' : 'Unlocked'",
        "allowProtectedAppendWrites: false",
      ]),
      ...lacking(`${module} blobs`, templates.declared(module, "blobs"), ["isVersioningEnabled: true"]),
      ...lacking(`${module} accesses`, templates.declared(module, "accesses"), ["category: 'StorageWrite'"]),
      ...["main.dev.bicepparam", "main.prod.bicepparam"].flatMap((file) => {
        const [, immutable, removed] = days.exec(templates.text(file)) ?? [];
        return Number(immutable) < Number(removed) ? [] : [`${file} removes exports before it may`];
      }),
      ...lacking("main.prod.bicepparam", templates.text("main.prod.bicepparam"), [
        "exportsLocation = readEnvironmentVariable('EXPORTS_LOCATION')",
      ]),
      ...differing("subjects of the two identities", subjects.map(String), [
        "repo:${repository}:environment:${environmentName}-export",
        "repo:${repository}:environment:${environmentName}",
      ]),
      ...lacking("the workflow", workflow, [
        "environment: ${{ matrix.environment }}-export\n",
        "id-token: write",
        "contents: read",
        ".github/upload-export ",
      ]),
      ...actions.filter((action) => !/@[0-9a-f]{40}$/.test(action)).map((action) => `${action} is not pinned`),
      ...given.filter((name) => !documented.includes(name)).map((name) => `docs/backup.md does not name ${name}`),
      ...lacking("the upload", upload, [`--destination ${container} `, `--container-name ${container} `]),
      ...lacking("the alert", templates.beside("infra/azure/alerts/export-missing.kql"), [
        `AccountName startswith "${prefix}"`,
      ]),
    ];
  },
};
