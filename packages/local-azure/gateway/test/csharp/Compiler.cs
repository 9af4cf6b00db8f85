#nullable disable
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;

/// <summary>Compiles policy expressions, each in its own tree and class, as C# 7, which is the language of policies.</summary>
public sealed class Compiler
{
    static readonly CSharpParseOptions Language = new(LanguageVersion.CSharp7);
    readonly SyntaxTree[] trees;
    readonly CSharpCompilation compilation;
    readonly ILookup<SyntaxTree, string> errors;

    /// <param name="sources">Expressions, `@(…)` or `@{…}`, and the C# types that they must have.</param>
    public Compiler(IReadOnlyList<(string Source, string Type)> sources)
    {
        trees = [.. sources.Select((one, index) => CSharpSyntaxTree.ParseText(InClass(one.Source, one.Type, index), Language))];
        var references = ((string)AppContext.GetData("TRUSTED_PLATFORM_ASSEMBLIES")).Split(Path.PathSeparator)
            .Append(typeof(Newtonsoft.Json.JsonConvert).Assembly.Location).Distinct()
            .Select(file => MetadataReference.CreateFromFile(file));
        var options = new CSharpCompilationOptions(OutputKind.DynamicallyLinkedLibrary);
        compilation = CSharpCompilation.Create("expressions", trees, references, options);
        errors = compilation.GetDiagnostics().Where(one => one.Severity == DiagnosticSeverity.Error)
            .ToLookup(one => one.Location.SourceTree, one => one.GetMessage());
    }

    /// <summary>Why C#, or the list of allowed members, rejects an expression. Null if they accept it.</summary>
    public string Complaint(int index) => errors[trees[index]].FirstOrDefault() ?? NotAllowed(index);

    /// <summary>The expression's own type in C#. Null for the literal null.</summary>
    public ITypeSymbol TypeOf(int index)
    {
        var returned = trees[index].GetRoot().DescendantNodes().OfType<ReturnStatementSyntax>().Last();
        return compilation.GetSemanticModel(trees[index]).GetTypeInfo(((ParenthesizedExpressionSyntax)returned.Expression).Expression).Type;
    }

    /// <summary>The assembly of the expressions that compile.</summary>
    public System.Reflection.Assembly Load()
    {
        using var stream = new MemoryStream();
        var emitted = compilation.RemoveSyntaxTrees(trees.Where(tree => errors[tree].Any())).Emit(stream);
        if (!emitted.Success) throw new InvalidOperationException(emitted.Diagnostics[0].ToString());
        return System.Reflection.Assembly.Load(stream.ToArray());
    }

    /// <summary>Puts an expression into a class. Text that is not one whole expression would break out of the class, so it is replaced by text that cannot compile.</summary>
    static string InClass(string source, string type, int index)
    {
        var inner = source.Length > 2 ? source[2..^1] : "";
        var isBlock = source.StartsWith("@{");
        var parsed = isBlock ? (SyntaxNode)SyntaxFactory.ParseStatement($"{{{inner}\n}}", options: Language)
            : SyntaxFactory.ParseExpression(inner, options: Language);
        if (parsed.GetDiagnostics().FirstOrDefault(one => one.Severity == DiagnosticSeverity.Error) is { } error)
            return "#error " + error.GetMessage();
        var body = isBlock ? $"{{{inner}\n}}" : $"{{ return (\n{inner}\n); }}";
        return $"using System; using System.Linq; using System.Text.RegularExpressions; using Newtonsoft.Json; using Policies; public static class E{index} {{ public static {type} Run(Context context) {body} }}";
    }

    string NotAllowed(int index)
    {
        var model = compilation.GetSemanticModel(trees[index]);
        var body = trees[index].GetRoot().DescendantNodes().OfType<MethodDeclarationSyntax>().Single().Body;
        return body.DescendantNodes().Select(node => model.GetSymbolInfo(node).Symbol)
            .Where(symbol => symbol is IMethodSymbol or IPropertySymbol or IFieldSymbol && !IsAllowed(symbol))
            .Select(symbol => $"{symbol.ContainingType}.{symbol.Name} is not on the list of allowed members").FirstOrDefault();
    }

    static bool IsAllowed(ISymbol symbol) =>
        symbol is IMethodSymbol { MethodKind: MethodKind.AnonymousFunction } // the members that it uses are judged one by one
        || symbol.ContainingNamespace?.ToString() == "Policies"
        || (Allowed.TryGetValue(symbol.ContainingType.OriginalDefinition.ToDisplayString(Names), out var members)
            && (members == null || members.Contains(symbol.Name)));

    static readonly SymbolDisplayFormat Names = new(typeQualificationStyle: SymbolDisplayTypeQualificationStyle.NameAndContainingTypesAndNamespaces);

    /// <summary>The documented types that policies here may use, with their documented members. Null means all members.</summary>
    static readonly Dictionary<string, string[]> Allowed = new()
    {
        ["Newtonsoft.Json.JsonConvert"] = ["SerializeObject", "DeserializeObject"],
        ["System.Collections.Generic.IReadOnlyCollection"] = null,
        ["System.Collections.Generic.IReadOnlyDictionary"] = null,
        ["System.Collections.Generic.KeyValuePair"] = null,
        ["System.Convert"] = null,
        ["System.Linq.Enumerable"] = null,
        ["System.DateTime"] = [".ctor", "Add", "AddDays", "AddHours", "AddMinutes", "AddSeconds", "Date", "Now", "Parse", "Subtract", "Ticks", "UtcNow"],
        ["System.Math"] = null,
        ["System.Array"] = null,
        ["System.Boolean"] = null,
        ["System.Char"] = null,
        ["System.Double"] = null,
        ["System.Guid"] = null,
        ["System.Int32"] = null,
        ["System.Int64"] = null,
        ["System.Nullable"] = null,
        ["System.Object"] = ["Equals", "ToString", "op_Addition", "op_Equality", "op_Inequality"],
        ["System.Random"] = null,
        ["System.String"] = null,
        ["System.StringComparison"] = null,
        ["System.Text.Encoding"] = null,
        ["System.Text.RegularExpressions.Regex"] = [".ctor", "IsMatch", "Match", "Matches", "Replace", "Unescape"],
        ["System.TimeSpan"] = null,
        ["System.Uri"] = null,
    };
}
