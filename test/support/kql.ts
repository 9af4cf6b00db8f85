import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { createContext, runInContext } from "node:vm";

const require = createRequire(import.meta.url);
const scripts = [
  require.resolve("@kusto/language-service-next/bridge.min.js"),
  require.resolve("@kusto/language-service-next/Kusto.Language.Bridge.min.js"),
];

/** The used part of Microsoft's language service. It is C# translated to JavaScript, and puts its names into globals. */
interface Service {
  readonly Bridge: { toArray<T>(listed: Iterable<T>): T[] };
  readonly Kusto: {
    readonly Language: {
      readonly GlobalState: { readonly Default: Globals };
      readonly KustoCode: { ParseAndAnalyze(text: string, globals: Globals): Code };
      readonly Symbols: {
        readonly TableSymbol: { readonly $ctor7: new (name: string, schema: string, description: null) => Table };
        readonly DatabaseSymbol: {
          readonly $ctor1: new (name: string, tables: readonly Table[], isOpen: boolean) => Database;
        };
      };
    };
  };
}
interface Table {
  readonly Name: string;
}
interface Database {
  readonly Name: string;
}
interface Globals {
  WithDatabase(database: Database): Globals;
}
interface Code {
  GetDiagnostics(): Iterable<{ readonly Message: string; readonly Start: number }>;
  /** Without columns if the query produces no table. */
  readonly ResultType: {
    readonly Columns?: Iterable<{ readonly Name: string; readonly Type: { readonly Name: string } }>;
  } | null;
}

/** A query as the parser reads it. */
export interface ReadQuery {
  /** The errors in it, as sentences. */
  readonly wrong: readonly string[];
  /** The types of its columns, by name. */
  readonly columns: Readonly<Record<string, string>>;
}

/**
 * Microsoft's parser of KQL, which knows only these tables. `tables` has the columns of each: `(name: type, …)`. It takes some seconds to
 * start, in its own context.
 */
export function kqlParser(tables: Readonly<Record<string, string>>): (query: string) => ReadQuery {
  const context = createContext({});
  for (const script of scripts) runInContext(readFileSync(script, "utf8"), context);
  const { Bridge, Kusto } = context as unknown as Service;
  const { GlobalState, KustoCode, Symbols } = Kusto.Language;
  const known = Object.entries(tables).map(([name, columns]) => new Symbols.TableSymbol.$ctor7(name, columns, null));
  const globals = GlobalState.Default.WithDatabase(new Symbols.DatabaseSymbol.$ctor1("component", known, false));
  return (query) => {
    const code = KustoCode.ParseAndAnalyze(query, globals);
    const columns = code.ResultType?.Columns;
    return {
      wrong: Bridge.toArray(code.GetDiagnostics()).map(({ Message, Start }) => `${Message} (at ${Start})`),
      columns: Object.fromEntries(columns ? Bridge.toArray(columns).map(({ Name, Type }) => [Name, Type.Name]) : []),
    };
  };
}
