using System.Collections.Concurrent;
using System.Security.Cryptography;
using System.Text;
using System.Text.Json;
using Shop;

// `dotnet run pay`, `dotnet run read` and `dotnet run receive`.

static string Setting(string name) =>
    Environment.GetEnvironmentVariable(name) ?? throw new InvalidOperationException($"{name} is not set.");

var http = new HttpClient { Timeout = TimeSpan.FromSeconds(10) };
http.DefaultRequestHeaders.Add("apikey", Setting("APIKEY"));
http.DefaultRequestHeaders.Add("Ocp-Apim-Subscription-Key", Setting("SUBSCRIPTION_KEY"));
var partners = new PartnersClient(http) { BaseUrl = Setting("BASE_URL"), ReadResponseAsString = true };

switch (args.FirstOrDefault())
{
    case "pay":
        await Explained(Pay);
        break;
    case "read":
        await Explained(Read);
        break;
    default:
        Receive();
        break;
}

// A refusal has a code, words, and the members that are wrong.
static async Task Explained(Func<Task> act)
{
    try
    {
        await act();
    }
    catch (ApiException error)
    {
        Console.Error.WriteLine($"{error.StatusCode}: {error.Response}");
        Environment.ExitCode = 1;
    }
}

async Task Pay()
{
    var request = new PaymentRequest
    {
        SessionID = Guid.NewGuid(), // store it before the request: the same request again is the same payment
        MsgType = "paymentRequest",
        MerchantID = Guid.Parse(Setting("MERCHANT_ID")),
        PointOfServiceID = Guid.Parse(Setting("TERMINAL_ID")),
        TotalAmountInclVat = 125.5,
        Currency = "SEK",
        MerchantReferences = new MerchantReferences { OrderId = Guid.NewGuid().ToString() }, // your order's number
        CaptureMode = "automatic",
        ResponseWebhookUrl = new Uri($"http://127.0.0.1:{Setting("WEBHOOK_PORT")}/webhooks"), // elsewhere https
    };
    var key = request.MerchantReferences.OrderId; // under one Idempotency-Key one session is accepted
    var payment = await Repeated(() => partners.PosPaymentRequestAsync(key, request));
    while (!payment.Final)
    {
        await Task.Delay(250); // or let the webhooks tell you
        payment = await Repeated(() => partners.PosPaymentAsync(request.SessionID));
    }
    Console.WriteLine($"{payment.SessionID}: {payment.Status}");
}

// Sends the same request until it gets a response. Its identifier names it, so that nothing is done twice.
static async Task<T> Repeated<T>(Func<Task<T>> send)
{
    for (var attempt = 0; ; attempt++)
    {
        try
        {
            return await send();
        }
        catch (Exception error) when (attempt < 8 && IsPassing(error))
        {
            await Task.Delay(WaitAfter(error) + TimeSpan.FromSeconds(Math.Min(5, 0.2 * Math.Pow(2, attempt))));
        }
    }
}

static bool IsPassing(Exception error) =>
    error is HttpRequestException or TaskCanceledException // no response: nobody knows yet whether it was carried out
    || error is ApiException { StatusCode: 429 or 500 or 502 or 503 or 504 };

static TimeSpan WaitAfter(Exception error) =>
    error is ApiException { Headers: var headers } && headers.TryGetValue("Retry-After", out var values)
        ? TimeSpan.FromSeconds(double.Parse(values.First()))
        : TimeSpan.Zero;

async Task Read()
{
    var list = await Repeated(() => partners.PosPaymentsAsync(null, null, null, null, null, null, null, null, null));
    foreach (var payment in list.Payments)
        Console.WriteLine($"{payment.SessionID}: {payment.Status} {payment.Amounts.Captured} {payment.Currency}");
    var page = await Repeated(() => partners.EventsAsync(null, null, null)); // keep page.Next for the next call
    foreach (var one in page.Events)
        Console.WriteLine($"{one.Type} {one.Id}");
}

// In your shop a database: event and effect are stored in one transaction, before the response.
void Receive()
{
    var seen = new ConcurrentDictionary<string, bool>();
    var newest = new ConcurrentDictionary<string, int>();
    var builder = WebApplication.CreateSlimBuilder();
    builder.Logging.SetMinimumLevel(LogLevel.Warning);
    // No event of the platform is longer than 1 MiB. Anybody else may send more, and gets 413.
    builder.WebHost.ConfigureKestrel(kestrel => kestrel.Limits.MaxRequestBodySize = 1024 * 1024);
    var app = builder.Build();
    app.MapPost("/webhooks", async (HttpRequest request) =>
    {
        using var memory = new MemoryStream();
        try
        {
            await request.Body.CopyToAsync(memory);
        }
        catch (BadHttpRequestException error)
        {
            return Results.StatusCode(error.StatusCode);
        }
        var body = memory.ToArray();
        if (!IsVerified(body, request.Headers))
        {
            Console.WriteLine("rejected: no valid signature");
            return Results.BadRequest();
        }
        var what = JsonSerializer.Deserialize<Event>(body)!;
        if (what.Type == "webhook.challenge") return Results.Text(Nonce(body)); // which proves that the host is yours
        if (!seen.TryAdd(what.Id, true)) Console.WriteLine($"{what.Type} {what.Id} again");
        else if (IsOfPayment(what.Type)) Take(JsonSerializer.Deserialize<PaymentEvent>(body)!);
        else Console.WriteLine($"{what.Type} {what.Id}: received");
        return Results.NoContent();
    });
    Console.WriteLine($"Receives webhooks on port {Setting("WEBHOOK_PORT")}.");
    app.Run($"http://127.0.0.1:{Setting("WEBHOOK_PORT")}");

    void Take(PaymentEvent paid)
    {
        var session = paid.Data.SessionID.ToString();
        var late = paid.Sequence < newest.GetValueOrDefault(session);
        if (!late) newest[session] = paid.Sequence;
        Console.WriteLine($"{paid.Type} {paid.Id}{(late ? " late" : $": {paid.Data.Status}")}");
    }
}

// The data of these events is the whole payment.
static bool IsOfPayment(string type) => type.Split('.')[0] is "payment" or "refund" or "reversal" or "discount";

static string Nonce(byte[] body) =>
    JsonDocument.Parse(body).RootElement.GetProperty("data").GetProperty("nonce").GetString()!;

// Standard Webhooks: HMAC-SHA256 of id, timestamp and body as it arrived. Two secrets are active while one is rotated.
static bool IsVerified(byte[] body, IHeaderDictionary headers)
{
    var (id, timestamp) = ($"{headers["webhook-id"]}", $"{headers["webhook-timestamp"]}");
    if (!long.TryParse(timestamp, out var sentAt)) return false;
    if (DateTimeOffset.UtcNow.ToUnixTimeSeconds() - sentAt is < -300 or > 300) return false;
    byte[] signed = [.. Encoding.UTF8.GetBytes($"{id}.{timestamp}."), .. body];
    var signatures = $"{headers["webhook-signature"]}".Split(' ').Select(Encoding.UTF8.GetBytes).ToArray();
    return Setting("WEBHOOK_SECRETS").Split(' ').Any(secret =>
    {
        var key = Convert.FromBase64String(secret["whsec_".Length..]);
        var expected = Encoding.UTF8.GetBytes($"v1,{Convert.ToBase64String(HMACSHA256.HashData(key, signed))}");
        return signatures.Any(one => CryptographicOperations.FixedTimeEquals(one, expected));
    });
}
