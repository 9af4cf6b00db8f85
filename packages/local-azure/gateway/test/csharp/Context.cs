#nullable disable
// The variable `context` as Microsoft's reference of policy expressions documents it: only these members, read-only. Certificates and tokens
// are left out, because no policy here reads them.
namespace Policies;

public sealed class Context
{
    public Api Api { get; internal init; }
    public Deployment Deployment { get; internal init; }
    public TimeSpan Elapsed { get; internal init; }
    public LastError LastError { get; internal init; }
    public Operation Operation { get; internal init; }
    public Product Product { get; internal init; }
    public Request Request { get; internal init; }
    public Guid RequestId { get; internal init; }
    public Response Response { get; internal init; }
    public Subscription Subscription { get; internal init; }
    public DateTime Timestamp { get; internal init; }
    public bool Tracing { get; internal init; }
    public User User { get; internal init; }
    public IReadOnlyDictionary<string, object> Variables { get; internal init; }
    public void Trace(string message) { }
}

public sealed class Api
{
    public string Id { get; internal init; }
    public bool IsCurrentRevision { get; internal init; }
    public string Name { get; internal init; }
    public string Path { get; internal init; }
    public string Revision { get; internal init; }
    public Url ServiceUrl { get; internal init; }
    public string Version { get; internal init; }
}

public sealed class Deployment
{
    public string GatewayId { get; internal init; }
    public string Region { get; internal init; }
    public string ServiceName { get; internal init; }
}

public sealed class LastError
{
    public string Source { get; internal init; }
    public string Reason { get; internal init; }
    public string Message { get; internal init; }
    public string Scope { get; internal init; }
    public string Section { get; internal init; }
    public string Path { get; internal init; }
    public string PolicyId { get; internal init; }
}

public sealed class Operation
{
    public string Id { get; internal init; }
    public string Method { get; internal init; }
    public string Name { get; internal init; }
    public string UrlTemplate { get; internal init; }
}

public sealed class Product
{
    public bool ApprovalRequired { get; internal init; }
    public string Id { get; internal init; }
    public string Name { get; internal init; }
    public int? SubscriptionLimit { get; internal init; }
    public bool SubscriptionRequired { get; internal init; }
}

public sealed class Request
{
    public MessageBody Body { get; internal init; }
    public IReadOnlyDictionary<string, string[]> Headers { get; internal init; }
    public string IpAddress { get; internal init; }
    public IReadOnlyDictionary<string, string> MatchedParameters { get; internal init; }
    public string Method { get; internal init; }
    public Url OriginalUrl { get; internal init; }
    public Url Url { get; internal init; }
}

public sealed class Response
{
    public MessageBody Body { get; internal init; }
    public IReadOnlyDictionary<string, string[]> Headers { get; internal init; }
    public int StatusCode { get; internal init; }
    public string StatusReason { get; internal init; }
}

public sealed class MessageBody
{
    public T As<T>(bool preserveContent = false) => throw new NotSupportedException();
}

public sealed class Url
{
    public string Host { get; internal init; }
    public string Path { get; internal init; }
    public int Port { get; internal init; }
    public IReadOnlyDictionary<string, string[]> Query { get; internal init; }
    public string QueryString { get; internal init; }
    public string Scheme { get; internal init; }
}

public sealed class Subscription
{
    public DateTime CreatedDate { get; internal init; }
    public DateTime? EndDate { get; internal init; }
    public string Id { get; internal init; }
    public string Key { get; internal init; }
    public string Name { get; internal init; }
    public DateTime? StartDate { get; internal init; }
}

public sealed class User
{
    public string Email { get; internal init; }
    public string FirstName { get; internal init; }
    public string Id { get; internal init; }
    public string LastName { get; internal init; }
}

public static class Lookups
{
    /// <summary>The values of a header or query parameter, joined by commas.</summary>
    public static string GetValueOrDefault(this IReadOnlyDictionary<string, string[]> values, string name, string defaultValue = null) =>
        values.TryGetValue(name, out var found) ? string.Join(",", found) : defaultValue;

    public static string GetValueOrDefault(this IReadOnlyDictionary<string, string> values, string name, string defaultValue = null) =>
        values.TryGetValue(name, out var found) ? found : defaultValue;

    /// <summary>The value of a variable. Throws if it has another type.</summary>
    public static T GetValueOrDefault<T>(this IReadOnlyDictionary<string, object> variables, string name, T defaultValue) =>
        variables.TryGetValue(name, out var found) ? (T)found : defaultValue;
}
