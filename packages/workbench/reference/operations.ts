import { apis, demoIds, publishedDocument, withIds, type Api } from "./demo-documents.ts";
import type { StackFile } from "../stack/stack-file.ts";
import { livingIds, membersOf, wantingFor, type Living } from "./live-examples.ts";
import { membersOfBody, type Schema, type Schemas } from "./members.ts";
import type { FieldView, MemberView, OperationView } from "./views/operations.ts";

/** An operation of a published document, with the document's own samples. */
export interface Operation {
  readonly view: OperationView;
  /** The names of all security schemes that it requires. */
  readonly schemes: readonly string[];
  /** The header of each security scheme that uses a key. */
  readonly keyHeaders: Readonly<Record<string, string>>;
}

interface Parameter {
  readonly name: string;
  readonly in: FieldView["in"];
  readonly description?: string;
  readonly example?: unknown;
  readonly required?: boolean;
}
type Security = readonly Readonly<Record<string, unknown>>[];
interface DocumentedOperation {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly example?: unknown; readonly schema: Schema }>>;
  };
  readonly security?: Security;
}
/** The part of OpenAPI that is read here. The project writes these documents itself, so the part is present. */
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>;
  readonly security: Security;
  readonly components: {
    readonly schemas: Schemas;
    readonly securitySchemes: Readonly<Record<string, { readonly type: string; readonly name?: string }>>;
  };
}

/** Every operation of the three documents, by name. */
export async function readOperations(): Promise<ReadonlyMap<string, Operation>> {
  const read = await Promise.all(
    apis.map(async (api) => operationsOf(api, JSON.parse(await publishedDocument(api)) as Document)),
  );
  return new Map(read.flat().map((operation) => [operation.view.id, operation]));
}

function operationsOf(api: Api, document: Document): Operation[] {
  const { securitySchemes, schemas } = document.components;
  const keyHeaders = Object.fromEntries(
    Object.entries(securitySchemes).flatMap(([scheme, { name }]) => (name === undefined ? [] : [[scheme, name]])),
  );
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      view: viewOf({ api, path, method: method.toUpperCase(), operation, schemas }),
      schemes: Object.keys((operation.security ?? document.security)[0] ?? {}),
      keyHeaders,
    })),
  );
}

function viewOf(documented: {
  readonly api: Api;
  readonly path: string;
  readonly method: string;
  readonly operation: DocumentedOperation;
  readonly schemas: Schemas;
}): OperationView {
  const { api, path, method, operation, schemas } = documented;
  const content = operation.requestBody?.content["application/json"];
  const body = content && JSON.stringify(content.example, null, 2);
  const members = content ? membersOfBody(content.schema, schemas) : [];
  return {
    id: operation.operationId,
    api,
    method,
    path,
    fields: (operation.parameters ?? []).map(fieldView),
    members: inOrderOf(content?.example, members),
    body,
    wanting: undefined,
  };
}

const fieldView = ({ name, in: place, description = "", example, required = false }: Parameter): FieldView => ({
  name,
  in: place,
  value: typeof example === "string" ? example : "",
  description,
  isRequired: required,
});

/** The members in the example come first, in the example's order. */
function inOrderOf(example: unknown, members: readonly MemberView[]): readonly MemberView[] {
  const names = Object.keys(Object(example) as object);
  const placeOf = ({ path }: MemberView) => {
    const place = names.indexOf(path.split(".")[0] ?? "");
    return place === -1 ? names.length : place;
  };
  return members.toSorted((one, other) => placeOf(one) - placeOf(other));
}

/**
 * The operation, ready to be tried now. It uses identifiers of the demo and its payments, and new identifiers for objects to be created.
 */
export function filled({ view }: Operation, file: StackFile, living: Living): OperationView {
  const livingOnes = livingIds(view.id, file, living);
  const ids = { ...demoIds(view.api, file), ...livingOnes };
  const now = JSON.parse(withIds(JSON.stringify(view), ids)) as OperationView;
  return {
    ...now,
    body: view.id === "report" && livingOnes.sessionID === undefined ? startReport(now) : now.body,
    wanting: wantingFor(view.id, living),
    members: now.members.map((member) => (member.path === TERMINAL ? amongTerminals(member, file) : member)),
  };
}

/** If the terminal has no payment, it reports its start. A report on a missing payment would alert an operator. */
const startReport = ({ body = "" }: OperationView): string =>
  JSON.stringify({ reportID: membersOf(body)["reportID"], type: "started" }, null, 2);

const TERMINAL = "pointOfServiceID";

const amongTerminals = (member: MemberView, { demo }: StackFile): MemberView => ({
  ...member,
  choices: Object.entries(demo.terminals).map(([name, { pointOfServiceID }]) => [
    pointOfServiceID,
    name.charAt(0).toUpperCase() + name.slice(1),
  ]),
});
