#nullable disable
using System.Text.Json;
using System.Text.RegularExpressions;
using Policies;

// Reads one JSON document from standard input and writes one. `judge`: [{ source, type }] to [complaint or null]. `run`: { contexts,
// expressions: [{ source, contexts: [index] }] } to [null if C# rejects it, else { type, results: [{ value } or { fails }] }].

var json = new JsonSerializerOptions(JsonSerializerDefaults.Web);
using var input = Console.OpenStandardInput();
object answer = args is ["judge"]
    ? Judge(JsonSerializer.Deserialize<Judged[]>(input, json))
    : Run(JsonSerializer.Deserialize<Runs>(input, json));
using var output = Console.OpenStandardOutput();
JsonSerializer.Serialize(output, answer, json);

static string[] Judge(Judged[] expressions)
{
    var compiler = new Compiler([.. expressions.Select(one => (one.Source, one.Type))]);
    return [.. expressions.Select((_, index) => compiler.Complaint(index))];
}

static object[] Run(Runs runs)
{
    var compiler = new Compiler([.. runs.Expressions.Select(one => ($"@({one.Source})", "object"))]);
    var assembly = compiler.Load();
    return [.. runs.Expressions.Select((one, index) =>
    {
        if (assembly.GetType($"E{index}") is not { } type) return null;
        var run = type.GetMethod("Run").CreateDelegate<Func<Context, object>>();
        return (object)new { Type = compiler.TypeOf(index)?.Name ?? "null", Results = one.Contexts.Select(at => Result(run, runs.Contexts[at].ToContext())) };
    })];
}

static object Result(Func<Context, object> run, Context context)
{
    try
    {
        // A match of a regular expression cannot be written as JSON, so its text is used.
        var value = run(context);
        return new { Value = value is Capture match ? match.Value : value };
    }
    catch (Exception error)
    {
        return new { Fails = error.GetType().Name };
    }
}

record Judged(string Source, string Type);
record Runs(Drawn[] Contexts, Expression[] Expressions);
record Expression(string Source, int[] Contexts);
record Variable(string Type, JsonElement Value);

/// <summary>A context as the generator drew it.</summary>
record Drawn(
    Guid RequestId, string Method, string Path, string IpAddress, Dictionary<string, string[]> Headers, Dictionary<string, string[]> Query,
    Dictionary<string, string> Parameters, int? Status, Dictionary<string, string[]> ResponseHeaders, string[] LastError, string SubscriptionId,
    string ApiId, string OperationId, Dictionary<string, Variable> Variables)
{
    public Context ToContext() => new()
    {
        RequestId = RequestId,
        Api = ApiId == null ? null : new Api { Id = ApiId },
        Operation = OperationId == null ? null : new Operation { Id = OperationId },
        Subscription = SubscriptionId == null ? null : new Subscription { Id = SubscriptionId },
        LastError = LastError == null ? null : new LastError { Source = LastError[0], Reason = LastError[1] },
        Request = new Request
        {
            Method = Method, IpAddress = IpAddress, Headers = AnyCase(Headers), MatchedParameters = Parameters,
            OriginalUrl = new Url { Path = Path }, Url = new Url { Path = Path, Query = AnyCase(Query) },
        },
        Response = Status is { } status ? new Response { StatusCode = status, Headers = AnyCase(ResponseHeaders) } : null,
        Variables = Variables.ToDictionary(one => one.Key, one => Boxed(one.Value)),
    };

    static Dictionary<string, string[]> AnyCase(Dictionary<string, string[]> values) => new(values, StringComparer.OrdinalIgnoreCase);

    static object Boxed(Variable variable) => variable.Type switch
    {
        "string" => variable.Value.GetString(),
        "int" => variable.Value.GetInt32(),
        "bool" => variable.Value.GetBoolean(),
        "guid" => variable.Value.GetGuid(),
        _ => null,
    };
}
